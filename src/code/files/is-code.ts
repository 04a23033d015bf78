/** Folders that hold no code of one's own, whoever lists files. */
export const skippedFolders: ReadonlySet<string> = new Set(['.git', '.vexil', 'node_modules'])

/** Whether a file may hold code or configuration, by its path: prose names flags too, and nothing asks for them there. */
export function isCode(path: string): boolean {
  return (
    !/\.(?:md|markdown|rst|adoc|asciidoc|txt|map)$/i.test(path) &&
    !path.split('/').some(folder => skippedFolders.has(folder))
  )
}
