import { Button, Form, navigate, Notice, PasswordField, Tick } from '@sealpost/ui'
import { DeskPage } from '@sealpost/ui/desk'
import { Problem, Shown, together, useAct } from '@sealpost/web-app'
import { type ReactNode, useState } from 'react'
import { href } from '../../routes.ts'
import type { PageProps } from '../../shell/app.tsx'
import { call, useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import { Fingerprint } from './fingerprint.tsx'
import classes from './delegates.module.css'

/** The passphrase of one service for one delegate. */
export default function HandOver({ params }: PageProps): ReactNode {
  const words = useWords().delegates
  const [id, serviceId] = [params['delegate'] ?? '', params['service'] ?? '']
  const delegate = useRead('readDelegate', 'delegates', id)
  const service = useRead('readService', 'services', serviceId)
  const name = delegate.state === 'ready' ? (delegate.value.name ?? delegate.value.code) : words.name
  return (
    <DeskPage
      title={service.state === 'ready' ? words.keyPage.title(service.value.name) : words.page.handOver}
      lead={words.keyPage.lead}
      crumbs={[
        { href: href('delegates'), name: words.title },
        { href: href('delegate', { delegate: id }), name },
      ]}
    >
      <Shown of={together({ delegate, service })}>
        {({ delegate: { fingerprint } }) =>
          fingerprint === null ? (
            <Notice kind="wait" what={words.page.noKey} />
          ) : (
            <div className={classes.narrow}>
              <Passphrase delegateId={id} serviceId={serviceId} fingerprint={fingerprint} />
            </div>
          )
        }
      </Shown>
    </DeskPage>
  )
}

function Passphrase(of: { readonly delegateId: string; readonly serviceId: string; readonly fingerprint: string }) {
  const { page, keyPage: words } = useWords().delegates
  const [passphrase, setPassphrase] = useState('')
  const [isCompared, setCompared] = useState(false)
  const [isTried, setTried] = useState(false)
  const act = useAct()
  const handOver = async (): Promise<void> => {
    setTried(true)
    if (!isCompared) return
    const isDone = await act.run(async () => call('handOverKey', { ...of, passphrase }))
    setPassphrase('')
    if (isDone) navigate(href('delegate', { delegate: of.delegateId }))
  }
  return (
    <Form onSend={handOver}>
      <h2>{page.fingerprint}</h2>
      <Fingerprint label={page.fingerprint} of={of.fingerprint} />
      <Tick label={words.compared} isOn={isCompared} onChange={setCompared} />
      {isTried && !isCompared ? <Notice kind="bad" what={words.comparedProblem} /> : null}
      <PasswordField
        label={words.passphrase}
        hint={words.passphraseHint}
        autoComplete="off"
        value={passphrase}
        onValue={setPassphrase}
      />
      <Problem failure={act.failure} />
      <div>
        <Button type="submit" look="main" busy={act.isBusy ? words.busy : null}>
          {words.send}
        </Button>
      </div>
    </Form>
  )
}
