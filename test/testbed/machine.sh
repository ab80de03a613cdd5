#!/bin/sh
# A node inside namespaces of its own, called by machine.ts as their first process: when it dies, so does every process, and with
# the last of them go all mounts. Arguments: FOLDER DISK_SIZE KUBELET-COMMAND...
set -eu
folder=$1 size=$2
shift 2
mount -t tmpfs -o "size=$size" disk "$folder/disk"
for state in /var/lib/cni /run/netns /run/containerd /var/log/pods /var/log/containers; do
  mkdir -p "$state"
  mount -t tmpfs state "$state"
done
containerd --config "$folder/containerd.toml" >>"$folder/containerd.log" 2>&1 &
"$@" &
wait
