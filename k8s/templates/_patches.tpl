{{/* What values change in a manifest of kustomize's files: { root, manifest }. Renders nothing, changes the manifest. */}}
{{- define "blog-content.patch" -}}
{{- $values := .root.Values -}}
{{- $kind := .manifest.kind -}}
{{- $name := .manifest.metadata.name -}}
{{- $spec := .manifest.spec -}}
{{- if eq $kind "Deployment" -}}
  {{- $scaled := and $values.autoscaling.enabled (ne $name "dashboard") -}}
  {{- if $scaled -}}{{- $_ := unset $spec "replicas" -}}{{- else -}}{{- $_ := set $spec "replicas" (index $values.services $name).replicas -}}{{- end -}}
  {{- $_ := set $spec.template.metadata "annotations" (dict "checksum/config" (include "blog-content.config" .root | sha256sum)) -}}
  {{- include "blog-content.patchPod" (dict "root" .root "name" $name "pod" $spec.template.spec) -}}
{{- else if eq $kind "CronJob" -}}
  {{- include "blog-content.patchPod" (dict "root" .root "name" $name "pod" $spec.jobTemplate.spec.template.spec) -}}
{{- else if eq $kind "PriorityClass" -}}
  {{- $_ := set .manifest.metadata "name" $values.priorityClass.name -}}
{{- else if eq $kind "NetworkPolicy" -}}
  {{- with index $values.networkPolicies.egress $name -}}{{- $_ := set $spec "egress" . -}}{{- end -}}
{{- else if eq $kind "HorizontalPodAutoscaler" -}}
  {{- if $values.autoscaling.byLag -}}
    {{- range .root.Files.Get (printf "components/autoscaling-by-lag/%s.yaml" $name) | fromYamlArray -}}
      {{- $_ := set $spec "metrics" (append $spec.metrics .value) -}}
    {{- end -}}
  {{- end -}}
  {{- $_ := mergeOverwrite $spec (index $values.autoscaling.services $name | default dict) -}}
{{- else if eq $kind "Ingress" -}}
  {{- $ingress := $values.ingress -}}
  {{- $_ := set $spec "ingressClassName" $ingress.className -}}
  {{- $_ := set (first $spec.rules) "host" $ingress.host -}}
  {{- $_ := set $spec "tls" (list (dict "hosts" (list $ingress.host) "secretName" $ingress.tlsSecret)) -}}
  {{- with $ingress.annotations -}}{{- $_ := set $.manifest.metadata "annotations" . -}}{{- end -}}
{{- else if eq $kind "Gateway" -}}
  {{- $gateway := $values.gateway -}}
  {{- $_ := set $spec "gatewayClassName" $gateway.className -}}
  {{- $listener := first $spec.listeners -}}
  {{- with $gateway.hostname -}}{{- $_ := set $listener "hostname" . -}}{{- end -}}
  {{- with $gateway.tlsSecret -}}
    {{- $tls := dict "mode" "Terminate" "certificateRefs" (list (dict "name" .)) -}}
    {{- $_ := mergeOverwrite $listener (dict "name" "https" "protocol" "HTTPS" "port" 443 "tls" $tls) -}}
  {{- end -}}
{{- else if eq (.manifest.apiVersion | splitList "/" | first) "monitoring.coreos.com" -}}
  {{- with $values.monitoring.labels -}}{{- $_ := set $.manifest.metadata "labels" . -}}{{- end -}}
{{- end -}}
{{- end -}}

{{/* The same for a pod: { root, name (of its Deployment or CronJob), pod }. */}}
{{- define "blog-content.patchPod" -}}
{{- $root := .root -}}
{{- $values := .root.Values -}}
{{- $pod := .pod -}}
{{- range $container := concat ($pod.initContainers | default list) $pod.containers -}}
  {{- $service := regexReplaceAll "^blog-content/(.*):1$" $container.image "${1}" -}}
  {{- $own := index $values.services $service -}}
  {{- $_ := set $container "image" ($own.image | default (printf "%s/%s:%s" $values.image.repository $service $values.image.tag)) -}}
  {{- range $source := $container.envFrom -}}
    {{- with $source.secretRef -}}
      {{- $_ := set . "name" (ternary $own.migrationSecret $own.secret (hasSuffix "-migration" .name)) -}}
    {{- end -}}
  {{- end -}}
  {{- if eq $container.name $.name -}}
    {{- $_ := set $container "resources" (mergeOverwrite $container.resources ($own.resources | default dict)) -}}
    {{- range $key, $value := $own.env -}}
      {{- $_ := set $container "env" (append ($container.env | default list) (dict "name" $key "value" $value)) -}}
    {{- end -}}
    {{- if and $values.imagesClaim (has $service (list "content-service" "public-read-service")) -}}
      {{- $mount := dict "name" "images" "mountPath" "/var/lib/blog-content/images" -}}
      {{- $_ := set $container "volumeMounts" (append $container.volumeMounts $mount) -}}
      {{- $volume := dict "name" "images" "persistentVolumeClaim" (dict "claimName" $values.imagesClaim) -}}
      {{- $_ := set $pod "volumes" (append $pod.volumes $volume) -}}
      {{- $_ := set $pod.securityContext "fsGroup" 1000 -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- if $pod.priorityClassName -}}{{- $_ := set $pod "priorityClassName" $values.priorityClass.name -}}{{- end -}}
{{- $_ := mergeOverwrite $pod (deepCopy $values.podSpec) -}}
{{- end -}}

{{/* The folders of kustomize that values choose, in the order in which their ConfigMaps merge; a JSON list. */}}
{{- define "blog-content.folders" -}}
{{- $folders := list "base" "jobs/rebuild-read-model" -}}
{{- range $name := list "dashboard" "ingress" "gateway" "autoscaling" "monitoring" -}}
  {{- if (index $.Values $name).enabled -}}{{- $folders = append $folders (printf "components/%s" $name) -}}{{- end -}}
{{- end -}}
{{- toJson $folders -}}
{{- end -}}

{{/* The data of the ConfigMap blog-content: what the kustomizations say, then `config`. */}}
{{- define "blog-content.config" -}}
{{- $data := dict -}}
{{- range $folder := include "blog-content.folders" . | fromJsonArray -}}
  {{- $kustomization := $.Files.Get (printf "%s/kustomization.yaml" $folder) | fromYaml -}}
  {{- range $generator := $kustomization.configMapGenerator -}}
    {{- range $literal := $generator.literals -}}
      {{- $pair := regexSplit "=" $literal 2 -}}
      {{- $_ := set $data (first $pair) (last $pair) -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- if .Values.imagesClaim -}}
  {{- $_ := set $data "IMAGE_STORAGE" "disk" -}}
  {{- $_ := set $data "IMAGE_DISK_PATH" "/var/lib/blog-content/images" -}}
{{- end -}}
{{- $_ := mergeOverwrite $data (deepCopy .Values.config) -}}
{{- toYaml $data -}}
{{- end -}}
