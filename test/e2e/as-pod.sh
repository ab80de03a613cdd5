#!/bin/sh
# What a container of install/controller finds, in a mount namespace of its own: a read-only root, an empty /tmp, the token where
# Kubernetes mounts it, and some user of no name. Arguments: TOKEN-FOLDER USER NODE PROGRAM FLAG...; PROGRAM is bin/prepuller.mjs of
# the package, wherever that lies.
set -eu
folder=$1 user=$2 node=$3 program=$4
shift 4
mount -t tmpfs run /run
mkdir -p /run/secrets/kubernetes.io /run/image
cp -r "$folder" /run/secrets/kubernetes.io/serviceaccount
chmod -R a+rX /run/secrets
mount --bind "${program%/bin/*}" /run/image
touch /run/node
mount --bind "$node" /run/node
mount -t tmpfs -o mode=1777,size=64m tmp /tmp
mount -o remount,bind,ro /
cd /
exec setpriv --reuid "$user" --regid "$user" --clear-groups --no-new-privs --bounding-set -all --inh-caps -all \
  env -i PATH=/usr/bin:/bin KUBERNETES_SERVICE_HOST="$KUBERNETES_SERVICE_HOST" \
  KUBERNETES_SERVICE_PORT="$KUBERNETES_SERVICE_PORT" /run/node "/run/image/bin/${program##*/}" "$@"
