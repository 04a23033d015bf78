// `gitlab-ci-local` asks for Node 22; this is all that it needs of it.
Set.prototype.union ??= function union(other) {
  return new Set([...this, ...other])
}
