import { runCommand } from '../run-command.ts'

/** A command for tests: `node command.ts WORD` fails as the word says. */
const failures: Readonly<Record<string, Error>> = {
  tables: Object.assign(new Error('relation "bus.inbox_lane" does not exist'), { code: '42P01' }),
  words: new Error('name a company'),
}

await runCommand({}, async () => {
  const failure = failures[process.argv[2] ?? '']
  if (failure !== undefined) throw failure
  return 'done'
})
