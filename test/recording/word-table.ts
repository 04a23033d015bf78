/**
 * What is called otherwise today than when the worlds were recorded. A renamed word is added here, with its reason,
 * and the recordings stay as they are. The table is for texts alone: requests and exit codes are compared as recorded.
 */
export interface Rename {
  /** In the recorded command line, standard output and standard error; a text stands for each of its places. */
  readonly recorded: string | RegExp
  readonly today: string
  readonly reason: string
}

export const wordTable: readonly Rename[] = [
  {
    recorded: /(?<=\bvexil_feature_flag_role_access\.\S+ is \{)(?="added_at")/g,
    today: '"access_level":null,',
    reason: 'a grant has a level, which the services of the recordings leave empty',
  },
]

/** A recorded text with the words of today. */
export function inWordsOfToday(text: string, table: readonly Rename[] = wordTable): string {
  return table.reduce((words, { recorded, today }) => words.replaceAll(recorded, today), text)
}
