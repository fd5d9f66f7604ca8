import type { Command } from '../command.ts'
import { runChecks } from '../doctor/checks.ts'
import { CliError } from '../terminal.ts'

const MARKS = { ok: 'ok  ', note: 'note', fail: 'FAIL' } as const

export const doctorCommand: Command = {
  words: ['doctor'],
  summary: 'Check settings, reachability, clock, credentials, key and webhooks, and say what to do',
  json: 'lines',
  about:
    'Only reads. Exit code 0 if no check failed. A check that needs an earlier one is left out when that one failed.',
  positionals: [],
  options: {},
  async run(context, given) {
    const { terminal, isJson } = context
    const counts = { ok: 0, note: 0, fail: 0 }
    for await (const finding of runChecks(context, given.text('config'))) {
      const { check, level, sentence, remedy } = finding
      counts[level] += 1
      if (isJson) terminal.print(JSON.stringify(finding))
      else {
        terminal.print(`${MARKS[level]}  ${check.padEnd(12)}  ${sentence}`)
        if (remedy !== undefined) terminal.print(`                    ${remedy}`)
      }
    }
    if (counts.fail > 0) throw new CliError(`${counts.fail} of ${counts.ok + counts.note + counts.fail} checks failed`)
  },
}
