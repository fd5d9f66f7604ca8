import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { errorCatalog, isErrorKey } from '@sealpost/protocol'
import { isSealpostError } from '@sealpost/sdk'
import { openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import type { Answered, Scene } from './calls.ts'
import { httpMistakes } from './http-mistakes.ts'
import { sdkMistakes } from './sdk-mistakes.ts'

const PAGE = fileURLToPath(new URL('../../../docs/mistakes.md', import.meta.url))
/** Made anew by each run; copy it to docs when an answer has changed. */
const MADE = fileURLToPath(new URL('../../../.local/mistakes.md', import.meta.url))

const world = await openWorld()
const service = await world.service([{ slug: 'name' }])
const { person, connectionId } = await world.customer(service, [{ slug: 'name', text: 'Mara' }])
const scene: Scene = {
  world,
  service,
  foreign: await world.service(),
  automation: await service.company.accountClient(['service_management']),
  bare: await service.company.accountClient([]),
  person,
  connectionId,
  token: await service.token(),
}

const INTRO = `# Typical mistakes

<!-- Printed by e2e/src/mistakes/mistakes.live.test.ts, which makes each of them. Do not edit. -->

What the platform answers, and what helps. Every refusal carries \`X-Request-Id\`, and a \`Link\` to its entry in
[the errors](errors.md). \`sealpost doctor\` finds most mistakes in settings.
`

const rows: { http: string[]; sdk: string[] } = { http: [], sdk: [] }

test.each(httpMistakes)(
  '$mistake is answered $key, and the answer leads to what helps',
  async ({ mistake, key, make }) => {
    const answer = await make(scene)
    const body: Readonly<Record<string, unknown>> = JSON.parse(await textOf(answer))
    expect(body['error_key']).toBe(key)
    expect(answer.headers.get('link')).toContain(`/docs/errors#${key}>; rel="help"`)
    const sentence = String(body['error_description'] ?? body['error'])
    expect(sentence).toMatch(/\w+ \w+/)
    const place = detailsOf(body)
    rows.http.push(
      `| ${mistake} | ${answer.status} \`${key}\` | ${cell(sentence)}${place} | ${cell(errorCatalog[key].remedy)} |`,
    )
  },
)

test.each(sdkMistakes)(
  '$mistake throws a $thrown that says what is wrong',
  async ({ mistake, thrown, remedy, make }) => {
    const error: unknown = await Promise.resolve(scene)
      .then(make)
      .then(
        () => null,
        (reason: unknown) => reason,
      )
    if (!(error instanceof Error)) throw new Error(`${mistake} is no error for the SDK`)
    expect(error.name).toBe(thrown)
    if (isSealpostError(error)) expect(isErrorKey(error.key) && error.helpUrl).toContain(error.key)
    rows.sdk.push(`| ${mistake} | \`${thrown}\` | ${cell(error.message)} | ${remedy} |`)
  },
)

test('the page of mistakes is what was just seen', () => {
  const page = [
    INTRO,
    '## By HTTP\n',
    '| Mistake | Answer | What it says | What to do |\n|---|---|---|---|',
    ...rows.http,
    '\n## By the SDK\n',
    '| Mistake | Error | What it says | What to do |\n|---|---|---|---|',
    ...rows.sdk,
  ]
  mkdirSync(fileURLToPath(new URL('../../../.local', import.meta.url)), { recursive: true })
  writeFileSync(MADE, `${page.join('\n')}\n`)
  expect(rows.http.length + rows.sdk.length).toBeGreaterThanOrEqual(50)
  expect(readFileSync(PAGE, 'utf8')).toBe(readFileSync(MADE, 'utf8'))
})

async function textOf(answer: Answered): Promise<string> {
  return typeof answer.text === 'string' ? answer.text : answer.text()
}

/** Where in the body or the query, if the answer says so. */
function detailsOf({ details, required_capability: capability }: Readonly<Record<string, unknown>>): string {
  if (typeof capability === 'string') return ` \`required_capability: ${capability}\``
  const [first]: readonly unknown[] = Array.isArray(details) ? details : []
  if (typeof first !== 'object' || first === null || !('path' in first) || !('message' in first)) return ''
  return ` ${cell(String(first.path))}: ${cell(String(first.message))}`
}

/** Without what differs from run to run. */
function cell(text: string): string {
  return text
    .replaceAll(/, request [\w-]+\)/g, ')')
    .replaceAll(/ \(request [\w-]+\)/g, '')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'https://…')
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ')
}
