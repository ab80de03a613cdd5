package lua_test

import (
	"encoding/json"
	"fmt"
	"testing"
)

// builtin restates Argo CD's own rule for a DaemonSet (gitops-engine, health_daemonset.go: getAppsv1DaemonSetHealth)
// on the object as read from JSON. The real one needs all of k8s.io/kubernetes to compile.
func builtin(obj object) health {
	metadata, _ := obj["metadata"].(object)
	spec, _ := obj["spec"].(object)
	strategy, _ := spec["updateStrategy"].(object)
	status, _ := obj["status"].(object)
	name, _ := metadata["name"].(string)
	desired, updated := integer(status, "desiredNumberScheduled"), integer(status, "updatedNumberScheduled")
	available := integer(status, "numberAvailable")
	switch {
	case integer(metadata, "generation") > integer(status, "observedGeneration"):
		return health{"Progressing", "Waiting for rollout to finish: observed daemon set generation less than desired generation"}
	case strategy["type"] == "OnDelete":
		return health{"Healthy", fmt.Sprintf("daemon set %d out of %d new pods have been updated", updated, desired)}
	case updated < desired:
		return health{"Progressing", fmt.Sprintf("Waiting for daemon set %q rollout to finish: %d out of %d new pods have been updated...", name, updated, desired)}
	case available < desired:
		return health{"Progressing", fmt.Sprintf("Waiting for daemon set %q rollout to finish: %d of %d updated pods are available...", name, available, desired)}
	}
	return health{"Healthy", ""}
}

func integer(from object, key string) int64 {
	number, _ := from[key].(float64)
	return int64(number)
}

// Every combination of absent and small numbers, so that no comparison can be off by one or the wrong way round.
func TestForeignDaemonSetsOfEveryShape(t *testing.T) {
	script := loadScript(t, "health.lua")
	numbers := []any{nil, 0.0, 1.0, 2.0}
	strategies := []any{nil, object{}, object{"type": "RollingUpdate"}, object{"type": "OnDelete"}}
	count := 0
	for code := range 1 << 12 {
		pick := func(position int) int { return code >> (2 * position) & 3 }
		obj := object{
			"metadata": object{"name": "node-exporter", "generation": numbers[pick(0)]},
			"spec":     object{"updateStrategy": strategies[pick(1)]},
			"status": object{
				"observedGeneration":     numbers[pick(2)],
				"desiredNumberScheduled": numbers[pick(3)],
				"updatedNumberScheduled": numbers[pick(4)],
				"numberAvailable":        numbers[pick(5)],
			},
		}
		if got, want := judge(t, script, obj), builtin(obj); got != want {
			text, _ := json.Marshal(obj)
			t.Fatalf("%s\n got %+v\nwant %+v", text, got, want)
		}
		count++
	}
	fmt.Printf("foreign DaemonSets of every shape: %d equal to the built-in rule\n", count)
}
