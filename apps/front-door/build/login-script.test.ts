import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bundleLoginScript, LOGIN_SCRIPT_FILE } from './login-script.ts'

test('the committed script of the sign-in page matches its source; else run npm run generate -w @sealpost/front-door', async () => {
  expect(readFileSync(LOGIN_SCRIPT_FILE, 'utf8')).toBe(await bundleLoginScript())
})
