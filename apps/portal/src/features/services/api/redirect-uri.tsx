import { Button, Form, Notice, TextField } from '@sealpost/ui'
import { DeskSection } from '@sealpost/ui/desk'
import { Problem, useAct } from '@sealpost/web-app'
import { type ReactNode, useState } from 'react'
import { call } from '../../../shell/worker.ts'
import { useWords } from '../../../words/index.ts'
import { Narrow } from '../../keys/narrow.tsx'

/** Where browsers come back to after an authorization; most services need none. */
export function RedirectUri({
  serviceId,
  redirectUri,
}: {
  readonly serviceId: string
  readonly redirectUri: string | null
}): ReactNode {
  const words = useWords().api.redirect
  const [typed, setTyped] = useState(redirectUri ?? '')
  const [isSaved, setSaved] = useState(false)
  const act = useAct()
  const save = async (): Promise<void> => {
    const address = typed.trim()
    setSaved(
      await act.run(() => call('changeRedirectUri', { serviceId, redirectUri: address === '' ? null : address })),
    )
  }
  return (
    <DeskSection title={words.title}>
      <Narrow>
        <Form onSend={save}>
          <TextField
            label={words.label}
            hint={words.hint}
            isOptional
            type="url"
            value={typed}
            onValue={(text) => {
              setTyped(text)
              setSaved(false)
            }}
          />
          <Problem failure={act.failure} />
          {isSaved ? <Notice what={words.saved} /> : null}
          <div>
            <Button type="submit" busy={act.isBusy ? words.saving : null}>
              {words.save}
            </Button>
          </div>
        </Form>
      </Narrow>
    </DeskSection>
  )
}
