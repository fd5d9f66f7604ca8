import type { AuthorizationRequest } from '@sealpost/sdk'
import { Outside, useProof } from '@sealpost/session'
import { Button, ButtonLink, Buttons, Form, Notice, Seal, useLocation } from '@sealpost/ui'
import { Problem, Shown, together, useAct } from '@sealpost/web-app'
import { type ReactNode, useState } from 'react'
import { href } from '../../routes.ts'
import { call, useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { AskedView } from '../../worker/asked.ts'
import type { ConsentOutcome, ConsentView } from '../../worker/commands/consent.ts'
import type { FieldView } from '../../worker/commands/data.ts'
import { type Choices, firstChoice, missingOf } from '../connections/answer.ts'
import { Ask } from '../connections/ask.tsx'
import { keepTyped } from '../connections/keep-typed.ts'
import { problemsOf } from '../data/problems.ts'
import { asksForText, Delivery } from './delivery.tsx'
import { readRequest } from './request.ts'

/** An app or a service asks, through the browser or a code on another screen: who, for what, and the person's answer. */
export default function Consent(): ReactNode {
  const words = useWords().consent
  const { query } = useLocation()
  const request = readRequest(query)
  // Another request begins anew: nothing that was chosen for the last one stays.
  if (request !== null) return <Request key={query.toString()} request={request} />
  return (
    <Outside title={words.broken.title}>
      <Notice kind="bad" what={words.broken.what} next={words.broken.next} />
      <ButtonLink href={href('home')}>{words.toHome}</ButtonLink>
    </Outside>
  )
}

function Request({ request }: { readonly request: AuthorizationRequest }): ReactNode {
  const words = useWords().consent
  const consent = useRead('readConsent', 'session', request)
  const fields = useRead('listFields', 'data')
  const [answered, setAnswered] = useState<Answered | null>(null)
  if (answered !== null) return <After {...answered} />
  const read = together({ consent, fields })
  if (read.state !== 'ready')
    return (
      <Outside title={consent.state === 'failed' ? words.broken.title : words.opening}>
        <Shown of={read}>{() => null}</Shown>
        {consent.state === 'failed' ? <ButtonLink href={href('home')}>{words.toHome}</ButtonLink> : null}
      </Outside>
    )
  const { companyName, appName, serviceName, mode, partyId, isConnected, isEnrolled } = read.value.consent
  const asker = serviceName ?? appName
  return (
    <Outside title={words.titles[mode](companyName)} lead={words.leads[mode](asker, isConnected, isEnrolled)}>
      <Seal name={companyName} id={partyId} size="large" />
      <Decide request={request} {...read.value} onAnswered={setAnswered} />
    </Outside>
  )
}

interface Answered {
  readonly companyName: string
  readonly isApproved: boolean
}

function Decide({
  request,
  consent,
  fields,
  onAnswered,
}: {
  readonly request: AuthorizationRequest
  readonly consent: ConsentView
  readonly fields: readonly FieldView[]
  readonly onAnswered: (answered: Answered) => void
}): ReactNode {
  const words = useWords().consent
  const { companyName, mode, challenge } = consent
  const claims = useAnswers(consent.claims)
  const asked = useAnswers(consent.fields ?? [])
  const [isTried, setTried] = useState(false)
  const [allowsText, setAllowsText] = useState(false)
  const [isDenying, setDenying] = useState(false)
  const proof = useProof()
  const act = useAct()
  const follow = ({ goTo }: ConsentOutcome, isApproved: boolean): void => {
    if (goTo === null) onAnswered({ companyName, isApproved })
    else location.assign(goTo)
  }
  const approve = async (): Promise<void> => {
    setTried(true)
    if (claims.missing.length + asked.missing.length > 0 || (asksForText(consent) && !allowsText)) return
    await act.run(async () => {
      const by = challenge === null ? null : { challenge, by: await proof.prove(challenge) }
      const answers = { claims: await keepTyped(claims.choices), fields: await keepTyped(asked.choices) }
      const wish = { ...answers, allowsText, proof: by }
      follow(await call('approveConsent', { readId: consent.readId, ...wish }), true)
    })
    proof.clear()
  }
  const deny = async (): Promise<void> => {
    setDenying(true)
    await act.run(async () => follow(await call('denyConsent', request), false))
    setDenying(false)
  }
  const common = { fields, isTried, failure: act.failure }
  return (
    <Form onSend={approve}>
      {consent.isDetached ? <Notice kind="wait" what={words.detached} next={words.detachedNext} /> : null}
      <Asks {...common} asked={consent.claims} answers={claims} />
      <Asks {...common} asked={consent.fields ?? []} answers={asked} />
      <Delivery consent={consent} isTried={isTried} allowsText={allowsText} onAllowText={setAllowsText} />
      {challenge === null ? null : proof.field}
      <Problem failure={act.failure} />
      <Buttons isStacked>
        <Button type="submit" look="main" busy={act.isBusy && !isDenying ? words.busy : null}>
          {words.acts[mode]}
        </Button>
        <Button onClick={() => void deny()} busy={isDenying ? words.denying : null}>
          {words.deny}
        </Button>
      </Buttons>
    </Form>
  )
}

interface Answers {
  readonly choices: Choices
  readonly missing: readonly string[]
  choose(slug: string, choice: Choices[string]): void
}

function useAnswers(asked: readonly AskedView[]): Answers {
  const [chosen, setChosen] = useState<Choices>({})
  const choices = Object.fromEntries(asked.map((row) => [row.slug, chosen[row.slug] ?? firstChoice(row)]))
  return {
    choices,
    missing: missingOf(asked, choices),
    choose: (slug, choice) => setChosen({ ...chosen, [slug]: choice }),
  }
}

function Asks({
  asked,
  answers,
  fields,
  isTried,
  failure,
}: {
  readonly asked: readonly AskedView[]
  readonly answers: Answers
  readonly fields: readonly FieldView[]
  readonly isTried: boolean
  readonly failure: ReturnType<typeof useAct>['failure']
}): ReactNode {
  const words = useWords()
  return asked.map((row) => {
    const canAnswer = !(row.isFromDataOnly === true && row.fits.length === 0)
    const missing = canAnswer ? words.connections.offer.missing : words.consent.notVerified
    return (
      <Ask
        key={row.slug}
        asked={row}
        fields={fields}
        choice={answers.choices[row.slug] ?? { kind: 'undecided' }}
        onChoice={(choice) => answers.choose(row.slug, choice)}
        problem={isTried && answers.missing.includes(row.slug) ? missing : undefined}
        valueProblems={problemsOf(words, failure)}
      />
    )
  })
}

/** On this device nothing follows: the other screen goes on by itself. */
function After({ companyName, isApproved }: Answered): ReactNode {
  const words = useWords().consent
  const texts = isApproved ? words.done : words.denied
  return (
    <Outside title={texts.title} lead={texts.lead(companyName)}>
      <ButtonLink href={href('home')}>{words.toHome}</ButtonLink>
    </Outside>
  )
}
