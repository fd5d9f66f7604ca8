import { Button, Choices, Failed, Form, TextField } from '@sealpost/ui'
import { type ReactNode, useState } from 'react'
import { useRead } from '../commands.ts'
import { useSessionWords } from '../words/index.ts'

export interface AboutYouAnswers {
  readonly displayName: string
  readonly email: string
  readonly region: string
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

export function AboutYou({
  given,
  onDone,
}: {
  readonly given: AboutYouAnswers
  readonly onDone: (answers: AboutYouAnswers) => void
}): ReactNode {
  const { about: words, next } = useSessionWords().start.register
  const [displayName, setName] = useState(given.displayName)
  const [email, setEmail] = useState(given.email)
  const [chosen, setChosen] = useState(given.region)
  const [isTried, setTried] = useState(false)
  const regions = useRead('listRegions', 'session')
  const usable = regions.state === 'ready' ? regions.value.filter(({ isInOrder }) => isInOrder) : []
  const region = chosen === '' ? (usable[0]?.code ?? '') : chosen
  const nameProblem = displayName.trim() === '' ? words.nameProblem : undefined
  const emailProblem = EMAIL.test(email.trim()) ? undefined : words.emailProblem
  return (
    <Form
      onSend={() => {
        setTried(true)
        const isGood = nameProblem === undefined && emailProblem === undefined && region !== ''
        if (isGood) onDone({ displayName: displayName.trim(), email: email.trim(), region })
      }}
    >
      <TextField
        label={words.name}
        value={displayName}
        onValue={setName}
        autoComplete="name"
        problem={isTried ? nameProblem : undefined}
      />
      <TextField
        label={words.email}
        value={email}
        onValue={setEmail}
        type="email"
        inputMode="email"
        autoComplete="username"
        problem={isTried ? emailProblem : undefined}
      />
      {regions.state === 'failed' ? <Failed failure={regions.failure} onAgain={regions.again} /> : null}
      {usable.length > 1 ? (
        <Choices
          legend={words.region}
          hint={words.regionAbout}
          value={region}
          onValue={setChosen}
          options={usable.map(({ code, name }) => ({ value: code, label: name }))}
        />
      ) : null}
      <Button type="submit" look="main">
        {next}
      </Button>
    </Form>
  )
}
