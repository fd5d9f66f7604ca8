import { Bullets, Button, Buttons, ButtonLink, Form, navigate, Page, TearOff, TextField } from '@sealpost/ui'
import { type ReactNode, useState } from 'react'
import { href } from '../../routes.ts'
import type { PageProps } from '../../shell/app.tsx'
import { Problem } from '../../shell/problem.tsx'
import { useAct } from '../../shell/use-act.ts'
import { call } from '../../shell/worker-client.ts'
import { useWords } from '../../words/index.ts'

/** Before a form is ended for everybody. */
export default function EndFlow({ params }: PageProps): ReactNode {
  const { end: words, run: title } = useWords().flows
  const [reason, setReason] = useState('')
  const act = useAct()
  const name = { connectionId: params['connection'] ?? '', runId: params['run'] ?? '' }
  const toRun = href('flow', { connection: name.connectionId, run: name.runId })
  const end = async (): Promise<void> => {
    if (await act.run(() => call('cancelRun', { ...name, reason }))) navigate(toRun, { replace: true })
  }
  return (
    <Page title={words.title} back={{ href: toRun, label: title }}>
      <Form onSend={end}>
        <TearOff
          title={words.whatFollows}
          act={
            <>
              <TextField label={words.reason} hint={words.reasonHint} isOptional value={reason} onValue={setReason} />
              <Problem failure={act.failure} />
              <Buttons isStacked>
                <Button type="submit" look="danger" busy={act.isBusy ? words.busy : null}>
                  {words.act}
                </Button>
                <ButtonLink href={toRun}>{words.keep}</ButtonLink>
              </Buttons>
            </>
          }
        >
          <Bullets items={words.follows} />
        </TearOff>
      </Form>
    </Page>
  )
}
