import { type Failure, FailureError } from '@sealpost/ui/failure'
import { openScreen } from '@sealpost/ui/testing'
import { expect, test } from 'vitest'
import { commandsOf } from '../link/commands-of.ts'
import { answerCommands } from '../testing/index.ts'
import * as german from '../words/de.ts'
import * as words from '../words/en.ts'
import { OldNotice } from './old-notice.tsx'
import { Shown } from './shown.tsx'

interface Commands {
  readonly [name: string]: (context: never, ...input: never[]) => Promise<unknown>
  readonly listPapers: (context: unknown) => Promise<readonly string[]>
}

const { useRead } = commandsOf<Commands, 'papers'>()
const OFFLINE: Failure = { kind: 'offline' }

function Papers() {
  const papers = useRead('listPapers', 'papers')
  return (
    <>
      <OldNotice />
      <Shown of={papers}>
        {(names) => (
          <ul aria-label="Papers">
            {names.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        )}
      </Shown>
    </>
  )
}

test('a page says what it waits for, then what was read, then what has changed', async () => {
  let names = ['Lease']
  const worker = answerCommands<Commands>({ listPapers: () => names })
  const screen = await openScreen(<Papers />, { words })
  await screen.until(() => screen.find('list', 'Papers'))
  names = ['Lease', 'Offer']
  worker.change('flows')
  worker.change('papers')
  await screen.until(() => screen.all('listitem').length === 2)
  expect(worker.asked).toHaveLength(2)
})

test('what cannot be read is said once, and can be tried again', async () => {
  let isThere = false
  answerCommands<Commands>({
    listPapers: () => {
      if (isThere) return ['Lease']
      throw new FailureError(OFFLINE)
    },
  })
  const screen = await openScreen(<Papers />, { words: german, language: 'de' })
  await screen.until(() => screen.find('alert'))
  expect(screen.text).toContain('Sealpost ist nicht erreichbar.')
  isThere = true
  await screen.click('button', 'Noch einmal versuchen')
  await screen.until(() => screen.find('list', 'Papers'))
  expect(screen.find('alert')).toBeNull()
})

test('what was shown stays when it cannot be read again, and is called old', async () => {
  let isThere = true
  const worker = answerCommands<Commands>({
    listPapers: () => {
      if (isThere) return ['Lease']
      throw new FailureError(OFFLINE)
    },
  })
  const screen = await openScreen(<Papers />, { words })
  await screen.until(() => screen.find('list', 'Papers'))
  isThere = false
  worker.change('papers')
  await screen.until(() => screen.find('status'))
  expect(screen.get('listitem').textContent).toBe('Lease')
  expect(screen.text).toContain('may have changed since')
})
