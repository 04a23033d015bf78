import { spawnSync } from 'node:child_process'

/** What git would send to https://git.example.com if its variables are these. */
export function credentialWith(env: Readonly<Record<string, string>>): readonly string[] {
  const { stdout, stderr } = spawnSync('git', ['credential', 'fill'], {
    env: { PATH: process.env.PATH, HOME: '/nowhere', GIT_TERMINAL_PROMPT: '0', ...env },
    input: 'protocol=https\nhost=git.example.com\n\n',
    encoding: 'utf8',
  })
  if (stderr !== '') throw new Error(stderr)
  return stdout.split('\n').filter(line => /^(?:username|password)=/.test(line))
}

/** The variables of git in `env`, with `file` in place of the file that they name. */
export function gitVariables(
  env: Readonly<Record<string, string>>,
  file: string,
): Readonly<Record<string, string>> {
  const own = Object.entries(env).filter(([name]) => name.startsWith('GIT_'))
  return Object.fromEntries(own.map(([name, value]) => [name, value.replace(/^!cat \S+/, `!cat ${file}`)]))
}
