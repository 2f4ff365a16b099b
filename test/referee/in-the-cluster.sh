#!/bin/bash
# The image as pods of a real cluster: pushes it to the kit's registry, applies an application and the Kustomize base, runs the CronJob once, and takes all away.
#   HOLDFAST_REFEREE=/path/to/the/kit test/referee/in-the-cluster.sh holdfast_0.1.0_amd64.oci.tar [SCENARIO…]
# The cluster is up (`referee up`), of REFEREE_HOME, REFEREE_NAME and REFEREE_PORT as for the kit. Exit code: that of `validate` in the pod.
set -eu -o pipefail
: "${HOLDFAST_REFEREE:?names the folder of the kit}"
image=$(realpath "$1"); shift
scenarios=("${@:-single-replica}")
project=$(realpath "$(dirname "$0")/../..")
node=$project/node_modules/.bin/node
work=$(mktemp -d)
kubectl() { if [ -n "${KUBECTL:-}" ]; then command "$KUBECTL" "$@"; else "$HOLDFAST_REFEREE/referee" kubectl "$@"; fi; }
trap 'kubectl delete --ignore-not-found --wait=false -f "$work/objects.yaml" -f "$project/test/referee/own/sets/gentle.yaml" >/dev/null 2>&1 || true; rm -rf "$work"' EXIT

"$project/test/referee/push-image.sh" "$image"

echo "applying the application"
kubectl apply --server-side -f "$project/test/referee/own/sets/gentle.yaml"
kubectl rollout status deployment/shop --timeout=5m
# external-dns makes the record once a minute.
for try in $(seq 90); do "$HOLDFAST_REFEREE/referee" user getent hosts shop.example.com >/dev/null && break; sleep 1; done

# The base, with the roles for these scenarios. The kit has no storage: the run folder ends with the pod.
cp -r "$project/packaging/kustomize" "$work/base"
cat >"$work/base/validation/holdfast.yaml" <<END
validation: { url: "http://shop.example.com/", namespace: default, application: shop, disruptionBudget: shop, manifests: none,
  applicationSelector: app.kubernetes.io/name=shop }
END
words=$(printf -- '--scenario=%s ' "${scenarios[@]}")
# shellcheck disable=SC2086
"$node" "$project/bin/holdfast.js" rbac --config "$work/base/validation/holdfast.yaml" --vantage in-cluster $words >"$work/base/validation/roles.yaml"
template=/spec/jobTemplate/spec/template/spec
arguments=$(printf '"%s", ' validate --config=/etc/holdfast/holdfast.yaml --yes --vantage=in-cluster $words)
cat >"$work/kustomization.yaml" <<END
resources: [base]
images: [{ name: holdfast, newTag: 0.1.0 }]
patches:
  - target: { kind: CronJob, name: holdfast-validation }
    patch: |
      [{ "op": "replace", "path": "$template/containers/0/args", "value": [${arguments%, }] },
       { "op": "replace", "path": "$template/volumes/1", "value": { "name": "runs", "emptyDir": {} } }]
END
kubectl kustomize "$work" >"$work/objects.yaml"
kubectl apply --server-side -f "$work/objects.yaml"
kubectl -n holdfast rollout status deployment/holdfast-monitor --timeout=2m || kubectl -n holdfast get pods -o wide

# --help with a root that cannot be written, as the user of the image.
kubectl -n holdfast run help --image=holdfast:0.1.0 --restart=Never --overrides='{ "spec": { "automountServiceAccountToken": false,
  "tolerations": [{ "key": "CriticalAddonsOnly", "operator": "Exists" }], "securityContext": { "runAsNonRoot": true, "seccompProfile": { "type": "RuntimeDefault" } },
  "containers": [{ "name": "help", "image": "holdfast:0.1.0", "args": ["--help"], 
    "securityContext": { "readOnlyRootFilesystem": true, "allowPrivilegeEscalation": false, "capabilities": { "drop": ["ALL"] } } }] } }'
kubectl -n holdfast wait pod/help --for=jsonpath='{.status.phase}'=Succeeded --timeout=5m
kubectl -n holdfast logs help | sed -n 1,3p
kubectl -n holdfast delete pod help --wait=false

kubectl -n holdfast create job --from=cronjob/holdfast-validation now
until kubectl -n holdfast get pod -l job-name=now -o name | grep -q .; do sleep 1; done
kubectl -n holdfast wait pod -l job-name=now --for=condition=Ready --timeout=5m || kubectl -n holdfast describe pod -l job-name=now
kubectl -n holdfast logs -f job/now
kubectl -n holdfast wait pod -l job-name=now --for=jsonpath='{.status.containerStatuses[0].state.terminated}' --timeout=2m
code=$(kubectl -n holdfast get pod -l job-name=now -o jsonpath='{.items[0].status.containerStatuses[0].state.terminated.exitCode}')
echo "validate ended with $code; probe pods that are left:"
kubectl get pods -A -l app.kubernetes.io/component=probe
exit "$code"
