import { Leave, Look, useOpenSession } from '@sealpost/session'
import { Page, Quiet, Row, Rows, Section } from '@sealpost/ui'
import { Shown } from '@sealpost/web-app'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import { useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import { Fingerprint } from '../delegates/fingerprint.tsx'

export default function Settings(): ReactNode {
  const {
    settings: words,
    delegates: { own },
  } = useWords()
  const { displayName, email, shareCode, unlock } = useOpenSession()
  const fingerprint = useRead('ownFingerprint', 'session')
  return (
    <Page title={words.title} lead={`${displayName} · ${email}`}>
      <Section title={words.account}>
        <Rows label={words.account}>
          <Row name={words.devices} about={words.devicesAbout} href={href('devices')} />
          <Row name={words.unlock} about={words.unlockKinds[unlock ?? 'none']} href={href('unlockSetup')} />
          <Row name={words.password} about={words.passwordAbout} href={href('password')} />
        </Rows>
      </Section>
      <Section title={own.title}>
        <Quiet>{own.about}</Quiet>
        <p>
          {own.code} <code translate="no">{shareCode}</code>
        </p>
        <Shown of={fingerprint}>{(of) => <Fingerprint label={own.fingerprint} of={of} />}</Shown>
      </Section>
      <Section title={words.app}>
        <Look />
      </Section>
      <Leave />
    </Page>
  )
}
