import { describe, expect, it } from 'vitest'
import { createLogger } from '../../../src/terraform/serve/logger.ts'
import { testRuntime } from '../../support/test-runtime.ts'

function logged(env: Record<string, string>): string[] {
  const lines: string[] = []
  const logger = createLogger({ env, runtime: testRuntime(), write: line => lines.push(line) })
  for (const level of ['trace', 'debug', 'info', 'warn', 'error'] as const) logger[level](level)
  return lines.map(line => JSON.parse(line)['@level'])
}

describe('the log', () => {
  it.each<[string, Record<string, string>, string[]]>([
    ['nothing', {}, []],
    ['TF_LOG off', { TF_LOG: 'off' }, []],
    ['TF_LOG empty', { TF_LOG: '' }, []],
    ['TF_LOG=WARN', { TF_LOG: 'WARN' }, ['warn', 'error']],
    ['TF_LOG=debug', { TF_LOG: 'debug' }, ['debug', 'info', 'warn', 'error']],
    ['TF_LOG=JSON', { TF_LOG: 'JSON' }, ['trace', 'debug', 'info', 'warn', 'error']],
    ['a level of the providers', { TF_LOG: 'TRACE', TF_LOG_PROVIDER: 'ERROR' }, ['error']],
    ['a level of the providers alone', { TF_LOG_PROVIDER: 'INFO' }, ['info', 'warn', 'error']],
  ])('with %s', (_, env, levels) => {
    expect(logged(env)).toEqual(levels)
  })

  it('writes lines that Terraform takes apart', () => {
    const lines: string[] = []
    const logger = createLogger({
      env: { TF_LOG: 'TRACE' },
      runtime: testRuntime(),
      write: line => lines.push(line),
    })
    logger.warn('two\nlines', { rpc: 'ReadResource', ms: 3, path: ['a'], '@level': 'error' })
    expect(lines).toEqual([
      '{"rpc":"ReadResource","ms":3,"path":"[\\"a\\"]","@level":"warn","@message":"two\\nlines","@timestamp":"2026-01-01T00:00:00.000000Z"}\n',
    ])
  })
})
