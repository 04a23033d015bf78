import { defineConfig } from '@playwright/test'

export default defineConfig({
  testMatch: '*.spec.ts',
  fullyParallel: true,
  use: { launchOptions: { executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] } },
})
