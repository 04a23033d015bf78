/** What keeps a release from being made or signed; its message is for the person who asked for it. */
export class PackagingError extends Error {
  override readonly name = 'PackagingError'
}
