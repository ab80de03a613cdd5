-- Which of a puller's actions Argo CD offers. Other DaemonSets get none from here, and keep Argo CD's own.
-- An action that would change nothing is shown greyed out: a hook's final verdict stays, and a puller that is
-- already Healthy (or Degraded) in its present generation is not let through (or given up) once more. A person's
-- word stands for its generation whatever a retry finds: it is changed by the opposite word.

local PREFIX = "argocd-prepuller.github.io/"

local function field(object, key)
  if type(object) ~= "table" then
    return nil
  end
  return object[key]
end

local metadata = field(obj, "metadata")
local role = field(field(metadata, "labels"), PREFIX .. "role")
if role == nil then
  return {}
end

local function condition(kind)
  local conditions = field(field(obj, "status"), "conditions")
  if type(conditions) ~= "table" then
    return nil
  end
  for _, entry in ipairs(conditions) do
    if field(entry, "type") == kind then
      return entry
    end
  end
  return nil
end

local pulled = field(condition(PREFIX .. "Pulled"), "status")
local observed = field(condition(PREFIX .. "ObservedGeneration"), "reason")
local generation = tostring(field(metadata, "generation"))
local current = observed == "Generation" .. generation
local healthy = pulled == "True" and (current or role == "hook")
local degraded = pulled == "False" and (current or role == "hook")
local closed = role == "hook" and (healthy or degraded)
local annotations = field(metadata, "annotations")
local overridden = field(annotations, PREFIX .. "override") ~= nil
  and field(annotations, PREFIX .. "override-generation") == generation

return {
  ["let-through"] = {
    displayName = "Let through: sync without waiting for the images",
    iconClass = "fa fa-fw fa-forward",
    disabled = closed or healthy,
  },
  ["give-up"] = {
    displayName = "Give up: fail the sync now",
    iconClass = "fa fa-fw fa-stop",
    disabled = closed or degraded,
  },
  ["retry"] = {
    displayName = "Retry: forget past errors and waits",
    iconClass = "fa fa-fw fa-redo",
    disabled = closed or healthy or overridden,
  },
}
