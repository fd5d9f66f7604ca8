import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openWorld, ROOT } from '@sealpost/testkit'
import { seedDemo } from '@sealpost/testkit/demo'
import { expect, test } from 'vitest'
import { publishedService } from './published-service.ts'

const run = promisify(execFile)
const TSC = join(ROOT, 'node_modules/.bin/tsc')
const README = readFileSync(join(ROOT, 'README.md'), 'utf8')
/** Where the README says to save it. */
const PROGRAM = '.local/first.ts'
/** A reader who has no settings of their own: `strict` and what Node needs to run the file. */
const STRICT = {
  strict: true,
  module: 'nodenext',
  target: 'es2024',
  types: ['node'],
  noEmit: true,
  // The SDK is imported from its sources here.
  allowImportingTsExtensions: true,
  skipLibCheck: true,
}

// Of its own, because the demo logs the fixed personas in.
const world = await openWorld({ own: true })
mkdirSync(join(ROOT, '.vitest'), { recursive: true })
const folder = mkdtempSync(join(ROOT, '.vitest/readme-'))
world.onEnd(() => Promise.resolve(rmSync(folder, { recursive: true, force: true })))
// What `npm run dev` does after the start.
await seedDemo(world, join(folder, '.local/demo'))

test('the first program of the README compiles under strict and prints what the README says', async () => {
  const [, program = ''] = /^```ts\n(.+?)^```$/ms.exec(README) ?? []
  writeFileSync(join(folder, PROGRAM), program)
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: STRICT, files: [PROGRAM] }))
  const compiled = await run(TSC, ['-p', folder]).catch((error: unknown) => error)
  expect(compiled).toMatchObject({ stdout: '' })
  expect(await printed()).toBe('Mara signed\nlives in Portland')
  expect(README).toContain('It prints `Mara signed` and `lives in Portland`.')
})

test('it goes on when a person shares the mandatory field only, and when the demo is seeded again', async () => {
  await seedDemo(world, join(folder, '.local/demo'))
  const { northwind } = await world.personas('northwind')
  const { body } = await northwind.portal('GET', `/api/services/${northwind.serviceId}/request-fields`)
  const service = publishedService('NRTHWD/INTAKE', body, northwind.service.publicKey)
  const person = await world.person()
  await person.connected(service, [{ slug: 'name', text: 'Ana' }])
  expect(await printed()).toBe('Mara signed\nlives in Portland\nAna unsigned')
})

async function printed(): Promise<string> {
  const { stdout } = await run(process.execPath, [PROGRAM], { cwd: folder })
  return stdout.trim()
}
