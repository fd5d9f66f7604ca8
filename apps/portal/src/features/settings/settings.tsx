import { Leave, Look, useOpenSession } from '@sealpost/session'
import { Page, Row, Rows, Section } from '@sealpost/ui'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import { useWords } from '../../words/index.ts'

export default function Settings(): ReactNode {
  const words = useWords().settings
  const { displayName, email, unlock } = useOpenSession()
  return (
    <Page title={words.title} lead={`${displayName} · ${email}`}>
      <Section title={words.account}>
        <Rows label={words.account}>
          <Row name={words.devices} about={words.devicesAbout} href={href('devices')} />
          <Row name={words.unlock} about={words.unlockKinds[unlock ?? 'none']} href={href('unlockSetup')} />
          <Row name={words.password} about={words.passwordAbout} href={href('password')} />
        </Rows>
      </Section>
      <Section title={words.app}>
        <Look />
      </Section>
      <Leave />
    </Page>
  )
}
