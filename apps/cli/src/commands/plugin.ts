import type { Command, Context, Given } from '../command.ts'
import { readSecret } from '../files.ts'
import type { Checked } from '../plugin-check/check-plugin.ts'
import type { Finding } from '../plugin-check/report.ts'
import { readGivenInputs } from '../plugin-check/sample-inputs.ts'
import { CliError, UsageError } from '../terminal.ts'
import { keyCommand } from './plugin-key.ts'

const checkCommand: Command = {
  words: ['plugin', 'check'],
  summary: 'Call a plugin as the platform does and report what breaks the protocol',
  json: 'document',
  about:
    'URL is the base address: the plugin answers GET URL/manifest and POST URL/call. Every field type is filled block by\n' +
    'block with options that the plugin offers; then come stale picks, other keys, malformed and large requests.\n' +
    'Exit code 0 means that no check failed; warnings do not count. The plugin may be written in any language.',
  positionals: ['URL'],
  options: {
    'token-file': { type: 'string', value: 'FILE', about: 'A file with the bearer token that the plugin expects' },
    input: {
      type: 'string',
      value: 'KEY=VALUE',
      isRepeatable: true,
      about: 'The value of a wired input, several times; required ones get samples by default',
    },
    'field-type': { type: 'string', value: 'KEY', about: 'Check this field type only' },
    all: { type: 'boolean', about: 'Also print the checks that passed' },
  },
  async run(context, given) {
    const { terminal } = context
    const tokenFile = given.text('token-file')
    // Read when it is needed: other commands start sooner without the HTTP client.
    const { openEgress } = await import('@sealpost/egress')
    const { checkPlugin } = await import('../plugin-check/check-plugin.ts')
    const egress = openEgress({ policy: { allowPrivateTargets: true }, clock: terminal.clock })
    try {
      const checked = await checkPlugin(egress, {
        baseUrl: parseBase(given.positionals[0] ?? ''),
        token: tokenFile === null ? null : readSecret(terminal, tokenFile, 'the token'),
        inputs: readGivenInputs(given.texts('input')),
        fieldType: given.text('field-type'),
        signal: terminal.untilInterrupted(),
      })
      print(context, given, checked)
    } finally {
      egress.close()
    }
  },
}

export const pluginCommands: readonly Command[] = [checkCommand, keyCommand]

function parseBase(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError('URL is the base address of the plugin, such as http://127.0.0.1:3001')
  }
  if (url.username !== '' || url.password !== '') throw new UsageError('URL takes no user name and no password')
  if (url.search !== '' || url.hash !== '') throw new UsageError('URL takes no query and no fragment')
  return url
}

function print({ terminal, isJson }: Context, given: Given, { manifest, findings }: Checked): void {
  const count = (level: Finding['level']): number => findings.filter((one) => one.level === level).length
  const [failed, warnings, passed] = [count('failed'), count('warning'), count('passed')]
  const name = manifest?.name ?? null
  if (isJson) terminal.print(JSON.stringify({ plugin: name, passed, failed, warnings, findings }))
  else {
    const shown = findings.filter(({ level }) => level !== 'passed' || given.flag('all'))
    for (const line of shown.flatMap(linesOf)) terminal.print(line)
    terminal.print(`${name ?? 'plugin'}: ${passed} passed, ${failed} failed, ${warnings} warnings`)
  }
  if (failed > 0) throw new CliError('the plugin does not follow the protocol')
}

const MARKS = { passed: 'ok  ', warning: 'warn', failed: 'FAIL' } as const satisfies Record<Finding['level'], string>

function linesOf({ check, level, subject, happened, remedy }: Finding): readonly string[] {
  const what = subject === '' ? happened : `${subject}: ${happened}`
  return [`${MARKS[level]}  ${check}  ${what}`, ...(remedy === '' ? [] : [`      ${remedy}`])]
}
