/** What the extension is called in Argo CD's `extension.config`, in its RBAC and in its addresses. */
export const EXTENSION = 'argocd-prepuller';
