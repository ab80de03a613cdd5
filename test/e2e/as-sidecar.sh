#!/bin/sh
# What the plugin's container finds, in a mount namespace of its own: a read-only root, an empty /tmp, Argo CD's program where its init
# container copies it, plugin.yaml and the tools where our image has them. Arguments: USER SOCKETS ARGOCD IMAGE NODE [NAME=VALUE...]
# COMMAND [ARG...]; IMAGE is the folder with bin/prepuller.mjs and plugin.yaml.
set -eu
user=$1 sockets=$2 argocd=$3 image=$4 node=$5
shift 5
helm=$(command -v helm)
mount -t tmpfs run /run
mkdir -p /run/argocd /run/image /run/tools
mount --bind "$image" /run/image
for tool in "$argocd" "$helm" "$node"; do
  touch "/run/tools/${tool##*/}"
  mount --bind "$tool" "/run/tools/${tool##*/}"
done
ln -s /run/image/bin/prepuller.mjs /run/tools/prepuller
printf '#!/bin/sh\nexec /run/tools/%s argocd-cmp-server "$@"\n' "${argocd##*/}" >/run/argocd/argocd-cmp-server
chmod 755 /run/argocd/argocd-cmp-server
mount -t tmpfs home /home
mkdir -p /home/argocd/cmp-server/config /home/argocd/cmp-server/plugins
cp /run/image/plugin.yaml /home/argocd/cmp-server/config/
mount --bind "$sockets" /home/argocd/cmp-server/plugins
mount -o remount,ro /home
mount -t tmpfs -o mode=1777,size=256m tmp /tmp
mount -o remount,bind,ro /
cd /
exec setpriv --reuid "$user" --regid "$user" --clear-groups --no-new-privs --bounding-set -all --inh-caps -all \
  env -i PATH=/run/tools:/usr/bin:/bin "$@"
