{{/* What the pods of users and of pullers share. */}}

{{/* Unquoted and unchecked, as in the real chart: a tag that YAML reads as a number arrives changed. */}}
{{- define "hub.image" -}}
{{ .name }}:{{ .tag }}
{{- end }}

{{- define "hub.pullSecrets" -}}
{{- $secrets := list }}
{{- if and .Values.imagePullSecret.create .Values.imagePullSecret.automaticReferenceInjection }}
{{- $secrets = append $secrets (dict "name" (printf "%simage-pull-secret" (include "hub.prefix" .))) }}
{{- end }}
{{- range concat .Values.imagePullSecrets .Values.singleuser.image.pullSecrets }}
{{- $secrets = append $secrets (kindIs "map" . | ternary . (dict "name" .)) }}
{{- end }}
{{- with $secrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "hub.userScheduling" -}}
{{- with .Values.singleuser.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with concat .Values.scheduling.userPods.tolerations .Values.singleuser.extraTolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- if eq .Values.scheduling.userPods.nodeAffinity.matchNodePurpose "require" }}
affinity:
  nodeAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
      nodeSelectorTerms:
        - matchExpressions:
            - key: hub.jupyter.org/node-purpose
              operator: In
              values: [user]
{{- end }}
{{- end }}

{{/* One init container. Call with (dict "root" $ "name" … "image" …). */}}
{{- define "hub.pull" -}}
- name: image-pull-{{ .name }}
  image: {{ .image }}
  command: [/bin/sh, -c, echo "Pulling complete"]
  {{- with .root.Values.prePuller.resources }}
  resources:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    {{- toYaml .root.Values.prePuller.containerSecurityContext | nindent 4 }}
{{ end }}

{{/* The images the chart itself knows of; init and extra containers inside profile overrides are not among them. */}}
{{- define "hub.pulls" -}}
{{- $ := . }}
{{- if .Values.singleuser.cloudMetadata.blockWithIptables }}
{{- include "hub.pull" (dict "root" $ "name" "metadata-block" "image" (include "hub.image" .Values.singleuser.networkTools.image)) }}
{{- end }}
{{- include "hub.pull" (dict "root" $ "name" "singleuser" "image" (include "hub.image" .Values.singleuser.image)) }}
{{- range $index, $container := .Values.singleuser.initContainers }}
{{- include "hub.pull" (dict "root" $ "name" (printf "singleuser-init-%d-%s" $index $container.name) "image" $container.image) }}
{{- end }}
{{- range $index, $container := .Values.singleuser.extraContainers }}
{{- include "hub.pull" (dict "root" $ "name" (printf "singleuser-extra-container-%d-%s" $index $container.name) "image" $container.image) }}
{{- end }}
{{- if .Values.prePuller.pullProfileListImages }}
{{- include "hub.profilePulls" . }}
{{- end }}
{{- range $key, $image := .Values.prePuller.extraImages }}
{{- include "hub.pull" (dict "root" $ "name" $key "image" (include "hub.image" $image)) }}
{{- end }}
{{- end }}

{{- define "hub.profilePulls" -}}
{{- $ := . }}
{{- range $index, $profile := .Values.singleuser.profileList }}
{{- with ($profile.kubespawner_override).image }}
{{- include "hub.pull" (dict "root" $ "name" (printf "singleuser-profilelist-%d" $index) "image" .) }}
{{- end }}
{{- range $option, $spec := $profile.profile_options }}
{{- range $choice, $override := $spec.choices }}
{{- with ($override.kubespawner_override).image }}
{{- include "hub.pull" (dict "root" $ "name" (printf "profile-%d-option-%s-%s" $index $option $choice) "image" .) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
