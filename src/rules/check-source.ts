/** What is wrong with the name of a source file: the service knows names and no folders. */
export interface SourceProblem {
  readonly message: string
  readonly hint?: string
}

/** Code finds no file that has a folder before its name. `files` are the names of the files of one object. */
export function checkSourceNames(files: readonly string[]): SourceProblem[] {
  return files.flatMap((file): SourceProblem[] => {
    if (file.trim() === '') return [{ message: 'a file of `source` has no name' }]
    if (!/[\\/]/.test(file)) return []
    return [
      {
        message: `${JSON.stringify(file)} is no name of a file that a plugin has`,
        hint: 'the service knows no folders, and nothing outside of the plugin; name the file alone',
      },
    ]
  })
}
