-- A person's word: the sync fails now, for this generation only.
-- Argo CD patches the difference to the live object: only the annotations differ.

local PREFIX = "argocd-prepuller.github.io/"
local metadata = obj.metadata

if metadata.labels == nil or metadata.labels[PREFIX .. "role"] == nil then
  error("give-up is for pullers only: this DaemonSet has no label " .. PREFIX .. "role", 0)
end
if metadata.annotations == nil then
  metadata.annotations = {}
end
metadata.annotations[PREFIX .. "override"] = "give-up"
metadata.annotations[PREFIX .. "override-generation"] = tostring(metadata.generation)
return obj
