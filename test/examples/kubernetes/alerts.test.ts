import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { stringify } from 'yaml'
import { folderOfTest } from '../../support/folder.ts'
import { readObjects } from './objects.ts'

/** The alerts of `examples/kubernetes/monitoring.yaml` over made series, with Prometheus' own promtool. */
it('fire if something is wrong, and only then', async () => {
  const { PrometheusRule } = await readObjects('monitoring.yaml', ['ServiceMonitor', 'PrometheusRule'])
  const folder = await folderOfTest({ 'rules.yaml': stringify(PrometheusRule.spec) })
  const series = join(import.meta.dirname, 'alerts.promtool.yaml')
  const script = 'cp "$1" tests.yaml && promtool check rules rules.yaml && promtool test rules tests.yaml'
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script, 'sh', series], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(status, stdout + stderr).toBe(0)
  expect(stdout).toContain('6 rules found')
})
