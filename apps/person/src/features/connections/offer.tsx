import { type DeviceProof, useProof } from '@sealpost/session'
import type { SignedProof } from '@sealpost/session/worker'
import { Button, ButtonLink, Buttons, Form, navigate, Notice, Page, Quiet, Seal, useLocation } from '@sealpost/ui'
import { Problem, Shown, together, useAct } from '@sealpost/web-app'
import { type ReactNode, useState } from 'react'
import { href } from '../../routes.ts'
import type { PageProps } from '../../shell/app.tsx'
import { call, useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { OfferView } from '../../worker/commands/connections.ts'
import type { FieldView } from '../../worker/commands/data.ts'
import { problemsOf } from '../data/problems.ts'
import { type Choice, type Choices, firstChoice, missingOf } from './answer.ts'
import { Ask } from './ask.tsx'
import { keepTyped } from './keep-typed.ts'
import { readAnnouncedKey } from './scanned.ts'

/** What a company asks for, before anything is sent. */
export default function Offer({ params }: PageProps): ReactNode {
  const words = useWords().connections
  const { fragment } = useLocation()
  const announced = readAnnouncedKey(fragment)
  if (announced !== null) return <OfferOf params={params} announcedKey={announced.key} />
  const back = { href: href('connect'), label: words.connect.title }
  return (
    <Page title={words.connect.title} back={back}>
      <Problem failure={{ kind: 'own', key: 'link_cut' }} />
    </Page>
  )
}

function OfferOf({ params, announcedKey }: PageProps & { readonly announcedKey: string | null }): ReactNode {
  const words = useWords().connections
  const code = `${params['company'] ?? ''}/${params['service'] ?? ''}`
  const offer = useRead('lookUpService', 'connections', code, announcedKey)
  const fields = useRead('listFields', 'data')
  const back = { href: href('connect'), label: words.connect.title }
  const read = together({ offer, fields })
  if (read.state !== 'ready')
    return (
      <Page title={words.connect.title} back={back}>
        <Shown of={read}>{() => null}</Shown>
      </Page>
    )
  const { companyName, companyId, serviceName, asked, isForCompanies } = read.value.offer
  return (
    <Page title={words.offer.title(companyName)} lead={words.offer.lead(serviceName, asked.length)} back={back}>
      <Seal name={companyName} id={companyId} size="large" />
      {isForCompanies ? (
        <Notice kind="wait" what={words.offer.forCompanies} />
      ) : (
        <Decide {...read.value} announcedKey={announcedKey} />
      )}
    </Page>
  )
}

interface DecideProps {
  readonly offer: OfferView
  readonly fields: readonly FieldView[]
  readonly announcedKey: string | null
}

function Decide({ offer, fields, announcedKey }: DecideProps): ReactNode {
  const words = useWords()
  const texts = words.connections.offer
  const { query } = useLocation()
  const invitation = query.get('invitation')
  const [chosen, setChosen] = useState<Choices>({})
  const [isTried, setTried] = useState(false)
  const act = useAct()
  const proof = useProof()
  const choices = choicesOf(offer.asked, chosen)
  const missing = missingOf(offer.asked, choices)
  const choose = (slug: string, choice: Choice): void => setChosen({ ...chosen, [slug]: choice })
  const send = async (): Promise<void> => {
    setTried(true)
    if (missing.length > 0) return
    await act.run(async () => {
      const signed = offer.needsSecondFactor && proof.canProve ? await signChallenge(proof) : null
      const wish = {
        answers: await keepTyped(choices),
        shown: offer.asked,
        proof: signed,
        keyFingerprint: announcedKey,
      }
      const made = await (invitation === null
        ? call('connect', { code: offer.code, ...wish })
        : call('acceptInvitation', { id: invitation, ...wish }))
      navigate(href('connection', { connection: made.id }), { replace: true })
    })
    proof.clear()
  }
  const givesSomething = Object.values(choices).some(({ kind }) => kind === 'field' || kind === 'typed')
  return (
    <Form onSend={send}>
      {offer.asked.map((row) => (
        <Ask
          key={row.slug}
          asked={row}
          fields={fields}
          choice={choices[row.slug] ?? { kind: 'undecided' }}
          onChoice={(choice) => choose(row.slug, choice)}
          problem={isTried && missing.includes(row.slug) ? texts.missing : undefined}
          valueProblems={problemsOf(words, act.failure)}
        />
      ))}
      {offer.needsSecondFactor ? proof.field : null}
      <Problem failure={act.failure} />
      <Quiet>{texts.afterwards}</Quiet>
      <Buttons isStacked>
        <Button type="submit" look="main" busy={act.isBusy ? texts.busy : null}>
          {givesSomething ? texts.connect : texts.connectNothing}
        </Button>
        {invitation === null ? (
          <ButtonLink href={href('sees')}>{words.shell.cancel}</ButtonLink>
        ) : (
          <Reject invitation={invitation} />
        )}
      </Buttons>
    </Form>
  )
}

function choicesOf(asked: OfferView['asked'], chosen: Choices): Choices {
  return Object.fromEntries(asked.map((row) => [row.slug, chosen[row.slug] ?? firstChoice(row)]))
}

async function signChallenge(proof: DeviceProof): Promise<SignedProof> {
  const challenge = await call('requestChallenge')
  return { challenge, by: await proof.prove(challenge) }
}

function Reject({ invitation }: { readonly invitation: string }): ReactNode {
  const words = useWords().connections.invitation
  const act = useAct()
  const reject = async (): Promise<void> => {
    if (await act.run(() => call('rejectInvitation', invitation))) navigate(href('home'))
  }
  return (
    <>
      <Problem failure={act.failure} />
      <Button busy={act.isBusy ? words.rejecting : null} onClick={() => void reject()}>
        {words.reject}
      </Button>
    </>
  )
}
