#!/bin/bash
# Pushes an OCI archive to the kit's registry as holdfast:0.1.0 and holdfast:latest (OCI distribution specification, "Pushing manifests").
#   HOLDFAST_REFEREE=/path/to/the/kit test/referee/push-image.sh holdfast_0.1.0_amd64.oci.tar
# The cluster is up, of REFEREE_NAME as for the kit; REGISTRY names another registry, which is reached from here.
set -eu -o pipefail
image=$(realpath "$1")
node=$(realpath "$(dirname "$0")/../..")/node_modules/.bin/node
registry=${REGISTRY:-http://10.77.0.1:5000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
inside() { if [ -n "${REGISTRY:-}" ]; then "$@"; else nsenter --net="/run/netns/${REFEREE_NAME:-referee}-cp" "$@"; fi; }
digest() { "$node" -e 'const [file, of] = process.argv.slice(1); const found = JSON.parse(require("fs").readFileSync(file));
  for (const one of of === "index" ? [found.manifests[0]] : [found.config, ...found.layers]) console.log(one.digest);' "$1" "$2"; }
blob() { echo "$work/blobs/${1/://}"; }

echo "pushing $image"
tar -xf "$image" -C "$work"
manifest=$(digest "$work/index.json" index)
for each in $(digest "$(blob "$manifest")" manifest); do
  place=$(inside curl -sf -X POST -o /dev/null -D - "$registry/v2/library/holdfast/blobs/uploads/" | tr -d '\r' | sed -n 's/^[Ll]ocation: //p')
  case $place in *\?*) place="$place&digest=$each" ;; *) place="$place?digest=$each" ;; esac
  case $place in /*) place=$registry$place ;; esac
  inside curl -sf -X PUT -H 'content-type: application/octet-stream' --data-binary "@$(blob "$each")" "$place"
done
for tag in 0.1.0 latest; do
  inside curl -sf -X PUT -H 'content-type: application/vnd.oci.image.manifest.v1+json' --data-binary "@$(blob "$manifest")" \
    "$registry/v2/library/holdfast/manifests/$tag"
done
