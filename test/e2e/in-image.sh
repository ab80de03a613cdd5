#!/bin/sh
# What a container of the image finds, in a mount namespace of its own: a read-only root, an empty /tmp, what Kubernetes mounts, and some user in
# group 0 without any capability. Arguments: ROOT USER MOUNTS COMMAND...; the folder MOUNTS holds what is copied over the root's own /tmp,
# /run and /home first.
set -eu
root=$1 user=$2 mounts=$3
shift 3
mount --bind "$root" "$root"
for place in tmp run home/argocd/cmp-server/plugins; do
  mkdir -p "$root/$place"
  mount -t tmpfs -o mode=1777 none "$root/$place"
  [ ! -d "$mounts/$place" ] || cp -r "$mounts/$place/." "$root/$place/"
done
chown -R "$user:0" "$root/tmp"
chmod -R a+rX "$root/run"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -o remount,bind,ro "$root"
exec setpriv --no-new-privs --bounding-set -all,+setuid,+setgid,+sys_chroot \
  chroot --userspec="$user:0" --groups=0 "$root" "$@"
