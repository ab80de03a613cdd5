// Command cluster is one binary for every part of a Kubernetes cluster: its first argument names the part, the rest are that
// part's own flags. The parts come from the module k8s.io/kubernetes as they are.
package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

var parts = map[string]func() *cobra.Command{
	"kube-apiserver":          apiserver.NewAPIServerCommand,
	"kube-controller-manager": controllermanager.NewControllerManagerCommand,
	"kube-scheduler":          func() *cobra.Command { return scheduler.NewSchedulerCommand() },
	"kubelet":                 func() *cobra.Command { return kubelet.NewKubeletCommand(context.Background()) },
}

func main() {
	name, arguments := "", []string{}
	if len(os.Args) > 1 {
		name, arguments = os.Args[1], os.Args[1:]
	}
	// The parts read os.Args themselves, their own name first.
	os.Args = arguments
	if name == "etcd" {
		etcdmain.Main(os.Args)
		return
	}
	newCommand, known := parts[name]
	if !known {
		names := append(slices.Sorted(maps.Keys(parts)), "etcd")
		fmt.Fprintf(os.Stderr, "usage: cluster PART [FLAG...], PART one of %s\n", strings.Join(names, ", "))
		os.Exit(2)
	}
	os.Exit(cli.Run(newCommand()))
}
