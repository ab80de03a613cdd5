{{/* Names and labels, as the real chart makes them: no prefix unless fullnameOverride is set or null. */}}

{{- define "hub.prefix" -}}
{{- if kindIs "invalid" .Values.fullnameOverride }}{{ .Release.Name }}-{{ .Chart.Name }}-
{{- else if .Values.fullnameOverride }}{{ .Values.fullnameOverride }}-
{{- end }}
{{- end }}

{{/* Cluster-scoped objects take the release's name where the prefix is empty. */}}
{{- define "hub.clusterPrefix" -}}
{{- include "hub.prefix" . | default (printf "%s-" .Release.Name) }}
{{- end }}

{{- define "hub.app" -}}
{{ .Values.nameOverride | default .Chart.Name }}
{{- end }}

{{/* Call with (dict "root" $ "component" "hub"). */}}
{{- define "hub.matchLabels" -}}
component: {{ .component }}
app: {{ include "hub.app" .root }}
release: {{ .root.Release.Name }}
{{- end }}

{{- define "hub.labels" -}}
{{ include "hub.matchLabels" . }}
app.kubernetes.io/component: {{ .component }}
app.kubernetes.io/name: {{ include "hub.app" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
heritage: {{ .root.Release.Service }}
{{- end }}

{{/* Call with the weight. */}}
{{- define "hub.hook" -}}
helm.sh/hook: pre-install,pre-upgrade
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
helm.sh/hook-weight: {{ . | quote }}
{{- end }}
