import { Bullets, Button, DigitsField, Form, navigate, Page, TearOff } from '@sealpost/ui'
import { Problem, useAct } from '@sealpost/web-app'
import { type ReactNode, useState } from 'react'
import { href } from '../../routes.ts'
import { call } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'

export default function Deletion(): ReactNode {
  const { settings, connections } = useWords()
  const words = settings.deletionPage
  return (
    <Page title={words.title} lead={words.lead} back={{ href: href('settings'), label: settings.title }}>
      <TearOff title={connections.end.whatFollows} act={<Act />}>
        <Bullets items={words.follows} />
      </TearOff>
    </Page>
  )
}

/** In two steps: the code comes by mail, so a device that was left open is not enough. */
function Act(): ReactNode {
  const words = useWords().settings.deletionPage
  const [isSent, setSent] = useState(false)
  const [code, setCode] = useState('')
  const act = useAct()
  const request = async (): Promise<void> => setSent(await act.run(() => call('requestDeletion')))
  const remove = async (): Promise<void> => {
    if (await act.run(() => call('confirmDeletion', code))) navigate(href('home'), { replace: true })
  }
  return (
    <Form onSend={isSent ? remove : request}>
      {isSent ? <DigitsField label={words.code} value={code} onValue={setCode} /> : null}
      <Problem failure={act.failure} />
      {isSent ? (
        <Button type="submit" look="danger" disabled={code.length !== 6} busy={act.isBusy ? words.busy : null}>
          {words.act}
        </Button>
      ) : (
        <Button type="submit" busy={act.isBusy ? words.requesting : null}>
          {words.request}
        </Button>
      )}
    </Form>
  )
}
