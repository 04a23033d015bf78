/** What a policy says, without its name and the remedy behind it: test/policies has those of every policy. */
export function withoutRule(line: string): string {
  return line.replace(/ \(\w+\); .*; or add it to "except" of the policy$/s, '')
}
