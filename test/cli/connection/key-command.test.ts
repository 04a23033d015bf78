import { describe, expect, it } from 'vitest'
import { resolveConnection } from '../../../src/cli/repository/connection.ts'
import { runKeyCommand } from '../../../src/cli/repository/key-command.ts'
import { keyHost } from '../../support/key-host.ts'
import { useWorkspace } from '../../support/workspace.ts'

const workspace = useWorkspace()
const { vexil, service, write, list } = workspace

const allowed = { VEXIL_ALLOW_KEY_COMMAND: '1' }
/** A program that runs this code. */
const running = (code: string, ...args: string[]) => [process.execPath, '-e', code, '--', ...args]

function keyFrom(words: readonly string[], host = keyHost(allowed)) {
  const settings = { baseUrl: 'https://x.example.com', apiKeyCommand: words }
  return resolveConnection({}, host, settings, workspace().path)
}

describe('api_key_command', () => {
  it('prints the key, which no message shows from then on', async () => {
    const host = keyHost({ ...allowed, VEXIL_API_KEY: 'phx_of_another', NAME: 'printed' })
    const words = running('console.log("phx_" + process.env.NAME + process.argv[1])', '$(pwd) *')
    expect(await keyFrom(running('console.log("phx_" + process.env.NAME)'), host)).toMatchObject({
      apiKey: 'phx_printed',
      keySource: 'api_key_command',
    })
    expect(host.secrets.hide('phx_printed')).toBe('[redacted]')
    // The words go through no shell, and the key of another place is not used instead.
    await expect(keyFrom(words, host)).rejects.toThrow('the key from api_key_command contains characters')
  })

  it('runs once for the same words, and again after a failure', async () => {
    const host = keyHost(allowed)
    const count = 'require("fs").mkdirSync("run-" + process.hrtime.bigint());'
    const words = running(`${count} console.log("phx_12345678")`)
    await Promise.all([keyFrom(words, host), keyFrom(words, host)])
    await keyFrom(words, host)
    const runs = async () => (await list('.')).filter(name => name.startsWith('run-')).length
    expect(await runs()).toBe(1)
    for (const _ of [1, 2]) await expect(keyFrom(running(`${count} process.exit(1)`), host)).rejects.toThrow()
    expect(await runs()).toBe(3)
  })

  it.each([undefined, '', '0', 'no'])('does not run with VEXIL_ALLOW_KEY_COMMAND=%s', async value => {
    const host = keyHost({ VEXIL_ALLOW_KEY_COMMAND: value })
    await expect(keyFrom(running('require("fs").mkdirSync("ran")'), host)).rejects.toThrow(
      /^this environment takes its key from api_key_command, which runs only with VEXIL_ALLOW_KEY_COMMAND=1; set it where you trust vexil.yaml$/,
    )
    expect(await list('.')).not.toContain('ran')
  })

  const program = JSON.stringify(process.execPath)
  it.each<[string, readonly string[], string]>([
    [
      'fails',
      running('console.log("secret"); console.error("secret"); process.exit(3)', 'secret'),
      `the program ${program} of api_key_command ended with exit code 3; its messages are not shown`,
    ],
    [
      'prints too much',
      running('console.log("secret".repeat(20_000))'),
      `the program ${program} of api_key_command printed more than 64 kB`,
    ],
    [
      'is killed',
      running('process.kill(process.pid, "SIGTERM"); setTimeout(() => {}, 60_000)'),
      `the program ${program} of api_key_command was ended by SIGTERM`,
    ],
    [
      'is not there',
      ['no-such-program', 'secret'],
      'the program "no-such-program" of api_key_command cannot be run (ENOENT)',
    ],
    [
      'cannot exist',
      ['echo', 'secret\0'],
      'the program "echo" of api_key_command cannot be run: a word has a null character',
    ],
    [
      'prints no key',
      running('process.stdin.on("end", () => {}).resume()'),
      'the key from api_key_command is empty',
    ],
  ])('shows neither output nor arguments if it %s', async (_, words, message) => {
    const error: unknown = await keyFrom(words).catch(failure => failure)
    expect(error).toMatchObject({ message, setting: 'apiKey' })
  })

  it('is stopped after a time, and by a signal', async () => {
    const words = running('process.on("SIGTERM", () => {}); setTimeout(() => {}, 60_000)')
    await expect(runKeyCommand(keyHost(allowed), words, workspace().path, 100)).rejects.toThrow(
      'took more than 0.1 seconds and was stopped',
    )
    const stop = new AbortController()
    const stopped = runKeyCommand({ ...keyHost(allowed), stop: stop.signal }, words, workspace().path)
    stop.abort(new Error('interrupted'))
    await expect(stopped).rejects.toThrow('interrupted')
    await expect(runKeyCommand({ ...keyHost(allowed), stop: stop.signal }, words, '.')).rejects.toThrow(
      'interrupted',
    )
  })

  it('gives a command its key, but not the sandbox', async () => {
    const { VEXIL_API_KEY: key, ...env } = service.env
    const command = JSON.stringify(running(`console.log(${JSON.stringify(key)})`))
    await write({
      'vexil.yaml': `version: 1\napi_key_command: ${command}\n`,
      'flags.yaml': 'feature_flags: {}',
    })
    expect(await vexil('plan', { env: { ...env, ...allowed } })).toMatchObject({ code: 0 })
    expect(await vexil('plan', { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('VEXIL_ALLOW_KEY_COMMAND=1'),
    })
    expect(await vexil('plan --sandbox')).toMatchObject({ code: 0 })
  })
})
