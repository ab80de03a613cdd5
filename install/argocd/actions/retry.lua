-- Windows, deadlines and remembered errors older than now are forgotten: the puller is judged afresh.
-- Argo CD patches the difference to the live object: only the annotations differ.

local PREFIX = "argocd-prepuller.github.io/"
local metadata = obj.metadata

if metadata.labels == nil or metadata.labels[PREFIX .. "role"] == nil then
  error("retry is for pullers only: this DaemonSet has no label " .. PREFIX .. "role", 0)
end
if metadata.annotations == nil then
  metadata.annotations = {}
end
-- The leading ! asks for UTC. Only os.date and os.time exist here, and only behind require.
local os = require("os")
metadata.annotations[PREFIX .. "retry-at"] = os.date("!%Y-%m-%dT%H:%M:%SZ")
return obj
