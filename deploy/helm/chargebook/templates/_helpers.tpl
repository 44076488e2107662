{{- define "chargebook.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "chargebook.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "chargebook.labels" -}}
{{ include "chargebook.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "chargebook.secret" -}}
{{ .Values.secrets.existingSecret | default (include "chargebook.name" .) }}
{{- end }}

{{/* Environment of every pod; secret values come from the Secret. */}}
{{- define "chargebook.env" -}}
- { name: NODE_ENV, value: production }
- { name: PUBLIC_URL, value: {{ required "publicUrl: where clients find the service" .Values.publicUrl | quote }} }
{{- with .Values.trustedProxies }}
- { name: TRUSTED_PROXIES, value: {{ join "," . | quote }} }
{{- end }}
{{- range $name, $value := .Values.env }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{/* Shared by API and background pods. Called with the root, the component and the port of health and metrics. */}}
{{- define "chargebook.pod" -}}
{{- $root := .root -}}
serviceAccountName: {{ include "chargebook.name" $root }}
enableServiceLinks: false
automountServiceAccountToken: false
{{- with $root.Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with $root.Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with $root.Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
# The service needs 15 s at most; before it, endpoints are told.
terminationGracePeriodSeconds: 25
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "chargebook.selector" $root | nindent 8 }}
        app.kubernetes.io/component: {{ .component }}
volumes:
  - { name: data, emptyDir: {} }
  - { name: tmp, emptyDir: {} }
  {{- if $root.Values.holidays }}
  - { name: holidays, configMap: { name: {{ include "chargebook.name" $root }}-holidays } }
  {{- end }}
{{- end }}

{{- define "chargebook.container" -}}
{{- $root := .root -}}
image: "{{ $root.Values.image.repository }}:{{ $root.Values.image.tag | default $root.Chart.AppVersion }}"
imagePullPolicy: {{ $root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
envFrom:
  - secretRef: { name: {{ include "chargebook.secret" $root }} }
# It lives: the event loop turns. A store that is away is no reason to start again, and neither is a busy node: after two minutes, it hangs.
livenessProbe:
  httpGet: { path: /health/live, port: {{ .port }} }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 12
readinessProbe:
  httpGet: { path: /health/ready, port: {{ .port }} }
  periodSeconds: 2
  timeoutSeconds: 3
  failureThreshold: 2
# Migrations of a large database, and a start on a busy node, take up to an hour.
startupProbe:
  httpGet: { path: /health/live, port: {{ .port }} }
  periodSeconds: 2
  failureThreshold: 1800
lifecycle:
  # Until no load balancer sends requests any more.
  preStop: { exec: { command: [sleep, '3'] } }
volumeMounts:
  - { name: data, mountPath: /data }
  - { name: tmp, mountPath: /tmp }
  {{- if $root.Values.holidays }}
  - { name: holidays, mountPath: /data/holidays.json, subPath: holidays.json, readOnly: true }
  {{- end }}
{{- end }}
