import { Button, Buttons, Quiet, Section } from '@sealpost/ui'
import { Problem, useAct } from '@sealpost/web-app'
import type { ReactNode } from 'react'
import { call } from '../commands.ts'
import { useSessionWords } from '../words/index.ts'

/** Locking keeps the account on this device, signing out removes it. */
export function Leave(): ReactNode {
  const words = useSessionWords().settings
  const act = useAct()
  return (
    <Section title={words.device}>
      <Problem failure={act.failure} />
      <Buttons>
        <Button onClick={() => void act.run(() => call('lock'))}>{words.lock}</Button>
        <Button look="danger" onClick={() => void act.run(() => call('logOut'))}>
          {words.signOut}
        </Button>
      </Buttons>
      <Quiet>{words.signOutAbout}</Quiet>
    </Section>
  )
}
