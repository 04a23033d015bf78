import { defineConfig } from 'vitest/config'

export default defineConfig({ test: { setupFiles: ['vexil/testing/vitest'] } })
