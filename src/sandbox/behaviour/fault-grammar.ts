/** The effects and the times of a fault; each as it is written. */
export const faultWords = {
  reset_before: 'the connection is reset, and nothing was done',
  reset_after: 'the work is done, and the connection is reset before the answer',
  truncate: 'the answer is cut off in the middle',
  twice: 'the work is done twice, as when a proxy sends it again; the second answer comes',
  committed: 'with status=: the work is done before that answer, as when a gateway gives up',
} as const

/** Effects with a whole number. */
export const faultSettings = {
  status: { value: 'CODE', doc: 'this answer in place of the own one, 400 to 599' },
  retry_after: { value: 'SECONDS', doc: 'with status=: its header Retry-After' },
  slow: { value: 'MS', doc: 'the answer comes so many milliseconds late' },
  nth: { value: 'N', doc: 'only the Nth request that matches; with times=, the first of them' },
  times: { value: 'N', doc: 'so many of the requests that match; all without it and without nth=' },
} as const

export type FaultWord = keyof typeof faultWords
export type FaultSetting = keyof typeof faultSettings

/** The grammar of `--fault`, for people. */
export function faultHelp(): string {
  const rows = [
    ['METHOD', 'GET, POST, PATCH or DELETE; any without it'],
    ['PATH', 'a part of the path; with a star its end: * matches what is between slashes, ** anything'],
    ...Object.entries(faultSettings).map(([name, { value, doc }]) => [`${name}=${value}`, doc]),
    ...Object.entries(faultWords),
  ]
  const width = Math.max(...rows.map(([name = '']) => name.length))
  const lines = rows.map(([name = '', doc]) => `  ${name.padEnd(width)}  ${doc}`)
  return `Faults, as in --fault "PATCH /feature_flags/* nth=2 reset_after":
  [METHOD] [PATH] [nth=N] [times=N] and one of status=, slow=, ${happenings.join(', ')}
${lines.join('\n')}
`
}

/** The effects that are a single word. */
// The table has these keys and no others.
export const happenings = (Object.keys(faultWords) as readonly FaultWord[]).filter(
  (word): word is Exclude<FaultWord, 'committed'> => word !== 'committed',
)
