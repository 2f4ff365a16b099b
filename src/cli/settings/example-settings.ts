/**
 * What `init` writes: every setting of validation with its default, and those of deployment to fill in
 * (docs/contract.md, "holdfast.yaml").
 */
export const exampleSettings = `# Settings of holdfast. Every value of validation is its default: delete what you do not change.
# Durations are written 500ms, 10s, 2m, 1h. \${NAME} takes a value from the environment: no secret has to stand here.

validation:                                        # rehearse, validate, precheck, plan, audit, rbac
  url: http://app.example.com/                     # GET http://<app_hostname>/; no flag
  namespace: default                               # of Deployment, Service and Ingress; --namespace
  application: nginx-test                          # their name; no flag
  applicationKind: Deployment                      # or StatefulSet or DaemonSet, with manifests: none; no flag
  # applicationSelector: app=nginx-test            # its pods, where that is not app=<application>; key=value,…; no flag
  # service: web                                   # its Service and its Ingress, where they have other names; no flags
  # ingress: web                                   # null: the Service is a load balancer of its own
  # httpRoute: web                                 # of the Gateway API, instead of an Ingress; with manifests: none; no flag
  disruptionBudget: nginx-pdb                      # the PodDisruptionBudget's name; null: there is none; no flag
  # applications: [{ application: forum, url: 'http://forum.example.com/' }]   # further ones of the same run; no flag
  manifests: hardened                              # plain: 2.3 to the letter; none: what is there already; --manifests
  nodePool:                                        # no flags
    name: general-purpose-arm
    role: web                                      # the label role of its nodes
    # selector: eks.amazonaws.com/nodegroup=web    # the application's nodes where no Karpenter launches them
    # requirements: [{ key: kubernetes.io/arch, operator: In, values: [amd64] }]   # what the nodes must be; 2.2
    nodeClass: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: default }
  ingressController:                               # no flags
    namespace: ingress-nginx
    service: ingress-nginx-controller              # of type LoadBalancer
    selector: app.kubernetes.io/component=controller   # of its pods; key=value,…
    # controlPlane: control-plane=envoy-gateway    # pods that configure the proxies, where the front door has them
  dnsAutomation: { namespace: external-dns, selector: app.kubernetes.io/name=external-dns }   # no flags
  autoscaler:                                      # no flags; kind none: a cluster without Karpenter
    kind: karpenter
    namespace: kube-system
    selector: app.kubernetes.io/name=karpenter
  loadBalancerDomain: amazonaws.com                # the controller's external address ends with it; no flag
  dns:                                             # where the record lives; no flags
    zone: example.com
    ttl: 300s                                      # of the record
    # rfc2136:                                     # a zone of BIND, Knot or PowerDNS instead of Route 53
    #   server: ns1.example.com                    # its primary; host or host:port
    #   keyFile: /etc/holdfast/example.com.key     # as tsig-keygen writes it
  monitor:                                         # no flags; the command monitor has its own
    interval: 1s
    timeout: 10s                                   # longer than the 5 s for which ingress-nginx tries a dead pod
    slow: 1s                                       # slower counts as downtime
    # edges: 100ms                                 # faster probes during a scenario, for the ends of an outage; 200ms in a rehearsal; 0: none
    expect: 200
    body: Welcome to nginx!                        # the first line of visible text begins with it; null: not looked at
    control: null                                  # something else that is always up: tells the prober's trouble from yours
    # headers: { X-Probe: '\${PROBE_TOKEN}' }        # how the url is asked, with the meanings of curl's options
    # request: GET
    # resolve: [app.example.com:80:10.0.0.5]
    # cacert: authorities.pem
    # insecure: false
    # ipv4: false
    # ipv6: false
    # proxy: ''
    # location: false
    # maxRedirs: 50
    # bodyContains: Welcome
    # compressed: false                            # asks for a compressed body, and looks into it
    # head: false
    # data: '{"probe":true}'                       # the body of a POST
    # http2: false
    # cert: client.pem
    # key: client-key.pem
    # unixSocket: /run/app.sock
  # vantage: in-cluster                            # a pod in each zone probes too; --vantage
  # probes:                                        # those pods; no flags
  #   image: registry.example.com/holdfast:0.1.0   # there is no public one: docs/in-the-cluster.md
  #   pullSecrets: []                              # Secrets of the registry
  #   namespace: default                           # where they are; the application's
  #   nodeSelector: role=system                    # only these nodes
  #   tolerations: [{ key: CriticalAddonsOnly, operator: Exists }]   # of nodes outside of the pool
  #   priorityClass: holdfast-probe                # one that is there
  load:                                            # no flags
    requests: 20000
    concurrency: 500
    # rate: 2000                                   # requests a second; else as fast as they are answered
    # generator: vegeta                            # or k6, oha: what makes them, where it is installed
    # workers: 4                                   # --load-workers: so many pods make them; else this machine does
    # worker: { image: registry.example.com/holdfast:0.1.0, cpu: 500m, memory: 256Mi, nodeSelector: 'role=load', tolerations: [], priorityClass: low, startWithin: 5m }
  instanceKill: { maximumDowntime: 60s }           # no flag
  # rehearse:                                      # no flags
  #   frontDoor: traefik                           # or envoy-gateway: what leads visitors in; else ingress-nginx
  #   ingress: official                            # ingress-nginx by its own manifest for AWS; else mended: changed so that it ends without downtime
  #   interruptionQueue: true                     # Karpenter hears of ending instances by a queue; else it does not
  #   missingImages: [shop/web:2.0]               # no registry has them; any other image is pulled
  #   nodeReady: 40s                              # from the launch of a machine to its node; else 55 to 81 s
  #   application: { start: 5s, stop: 1s, pull: 15s, request: 0.05ms, sigterm: true, answers: false } # rehearse -f
  #   applications: { Deployment/api: { start: 40s } } # those that differ

# monitor:                                         # holdfast monitor: who gets messages
#   alertAfter: 3                                  # bad samples in a row; --alert-after
#   notifiers:                                     # as in deployment; no flags
#     slackWebhookUrl: \${SLACK_WEBHOOK_URL}

# deployment:                                      # deploy, rollback, status, history, doctor, lock
#   appDir: /srv/www/app                           # --app-dir, APP_DIR
#   branch: main                                   # --branch, BRANCH
#   logFile: /var/log/holdfast/app.log             # --log-file, LOG_FILE
#   healthUrl: https://app.example.com/up          # --health-url, HEALTH_URL; 200 and nothing else is healthy
#   preset: laravel                                # which caches: also symfony, wordpress, drupal, php, none; --preset
#   php: php8.2                                    # which PHP; no flag
#   subfolder: backend                             # where the application is in its repository; --subfolder
#   mode: in-place                                 # or releases: each commit in a folder, shown by the link current; --mode
#   releases:                                      # no flags
#     folder: releases                             # from appDir, or anywhere
#     keep: 5                                      # good ones, the live one among them
#     shared: [.env, storage, public/storage]      # stays at the top of appDir, and is linked into each
#   health: { before: true }                       # asks a release by itself before the link leads to it; no flag
#   slackWebhookUrl: \${SLACK_WEBHOOK_URL}           # a secret: from the environment; no flag
#   mail:                                          # no flags; TO_EMAIL, FROM_EMAIL, MAIL_SUBJECT
#     to: ops@example.com
#     from: deploy@example.com
#     subject: Deployment of app
#     transport: sendmail                          # or smtp://user:\${SMTP_PASSWORD}@mail.example.com
`;
