import { useOpenSession } from '@sealpost/session'
import {
  Button,
  Buttons,
  Card,
  languageNames,
  languages,
  Page,
  Quiet,
  readTheme,
  Row,
  Rows,
  Section,
  SelectField,
  setTheme,
  type Theme,
  useLanguage,
} from '@sealpost/ui'
import { Problem, useAct } from '@sealpost/web-app'
import { type ReactNode, useState } from 'react'
import { href } from '../../routes.ts'
import { call } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'

const THEMES: readonly Theme[] = ['system', 'light', 'dark']

export default function Settings(): ReactNode {
  const words = useWords().settings
  const { displayName, email, unlock } = useOpenSession()
  return (
    <Page title={words.title} lead={`${displayName} · ${email}`}>
      <Section title={words.account}>
        <Rows label={words.account}>
          <Row name={words.devices} about={words.devicesAbout} href={href('devices')} />
          <Row name={words.notices} about={words.noticesAbout} href={href('notices')} />
          <Row name={words.signIns} about={words.signInsAbout} href={href('signIns')} />
          <Row name={words.unlock} about={words.unlockKinds[unlock ?? 'none']} href={href('unlockSetup')} />
          <Row name={words.password} about={words.passwordAbout} href={href('password')} />
          <Row name={words.takeOut} about={words.takeOutAbout} href={href('takeOut')} />
          <Row name={words.delete} about={words.deleteAbout} href={href('deletion')} />
        </Rows>
      </Section>
      <Section title={words.app}>
        <Look />
      </Section>
      <Leave />
    </Page>
  )
}

function Look(): ReactNode {
  const words = useWords().settings
  const { language, choose } = useLanguage()
  const [theme, setChosen] = useState(readTheme())
  return (
    <Card>
      <SelectField
        label={words.language}
        value={language}
        onValue={(value) => void choose(languages.find((each) => each === value) ?? 'en')}
        options={languages.map((each) => ({ value: each, label: languageNames[each] }))}
      />
      <SelectField
        label={words.theme}
        value={theme}
        onValue={(value) => {
          const chosen = THEMES.find((each) => each === value) ?? 'system'
          setTheme(chosen)
          setChosen(chosen)
        }}
        options={THEMES.map((each) => ({ value: each, label: words.themes[each] }))}
      />
    </Card>
  )
}

function Leave(): ReactNode {
  const words = useWords().settings
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
