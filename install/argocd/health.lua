-- Health of a DaemonSet for Argo CD. Pullers (label .../role) get the verdict that the controller wrote into their
-- status; every other DaemonSet gets what Argo CD's built-in rule says (gitops-engine, health_daemonset.go), because
-- this script replaces that rule for all DaemonSets. An error, nil or an unknown word would end a hook at once, so
-- every path returns a status. Argo CD opens only the base and table libraries here: no string, no math.

local PREFIX = "argocd-prepuller.github.io/"
local FINAL = { True = "Healthy", False = "Degraded" }

local function field(object, key)
  if type(object) ~= "table" then
    return nil
  end
  return object[key]
end

local function number(object, key)
  local value = field(object, key)
  if type(value) ~= "number" then
    return 0
  end
  return value
end

local function text(object, key)
  local value = field(object, key)
  if type(value) ~= "string" then
    return ""
  end
  return value
end

local function answer(status, message)
  return { status = status, message = message }
end

local metadata = field(obj, "metadata")
local status = field(obj, "status")
local role = field(field(metadata, "labels"), PREFIX .. "role")

-- Messages are Argo CD's own, to the letter. A deleted DaemonSet never comes here: Argo CD answers for it.
local function builtin()
  local desired = number(status, "desiredNumberScheduled")
  local updated = number(status, "updatedNumberScheduled")
  local available = number(status, "numberAvailable")
  local waiting = 'Waiting for daemon set "' .. text(metadata, "name") .. '" rollout to finish: '
  if number(metadata, "generation") > number(status, "observedGeneration") then
    return answer(
      "Progressing",
      "Waiting for rollout to finish: observed daemon set generation less than desired generation"
    )
  end
  if text(field(field(obj, "spec"), "updateStrategy"), "type") == "OnDelete" then
    return answer("Healthy", "daemon set " .. updated .. " out of " .. desired .. " new pods have been updated")
  end
  if updated < desired then
    return answer("Progressing", waiting .. updated .. " out of " .. desired .. " new pods have been updated...")
  end
  if available < desired then
    return answer("Progressing", waiting .. available .. " of " .. desired .. " updated pods are available...")
  end
  return answer("Healthy", "")
end

local function condition(kind)
  local conditions = field(status, "conditions")
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

local function relayed()
  local pulled = condition(PREFIX .. "Pulled")
  local final = FINAL[text(pulled, "status")]
  -- A hook is judged once: its verdict stands although its deletion raises the generation.
  if role == "hook" and final ~= nil then
    return answer(final, text(pulled, "message"))
  end
  -- Its verdict will not come any more, and Argo CD would wait for it for ever.
  if role == "hook" and field(metadata, "deletionTimestamp") ~= nil then
    return answer("Degraded", "the puller was deleted before its images were judged: sync again")
  end
  if pulled == nil then
    return answer("Progressing", "no verdict yet: is the argocd-prepuller controller running in this cluster?")
  end
  -- Whole words are compared: nothing here can take a number out of a text.
  local generation = tostring(field(metadata, "generation"))
  if text(condition(PREFIX .. "ObservedGeneration"), "reason") ~= "Generation" .. generation then
    return answer(
      "Progressing",
      "no verdict on generation " .. generation .. " yet: is the argocd-prepuller controller running in this cluster?"
    )
  end
  if final ~= nil then
    return answer(final, text(pulled, "message"))
  end
  return answer("Progressing", text(pulled, "message"))
end

-- In the job gate a Job judges the puller, and this must not wait for a controller.
local judge = field(field(metadata, "annotations"), PREFIX .. "judge")
if role ~= nil and judge ~= "builtin" then
  return relayed()
end

-- To keep a rule of your own for other DaemonSets, put it in place of the next line.
return builtin()
