import type { NewId } from '../../../core/base/seams.js';
import type { Fault, FaultKind, Faults, Moment } from '../../infra/faults.js';
import { MIX_UP_MOMENTS } from '../../infra/mix-ups.js';
import { type Body, isObject, parseJson } from '../../wire/checks.js';
import { type Answer, flatError, json, TOO_MANY } from '../../wire/errors.js';

/**
 * Answers with 200 that contradict themselves, prove nothing, or are about something else. Behind each the operation may be done or
 * not.
 */

const OWN_MOMENTS: Readonly<Record<string, Moment>> = {
  'POST /moto/sale': 'moto-sale',
  'POST /preauthorization/capture': 'capture',
  'POST /preauthorization/increase': 'increase',
};

/** Its answers name nothing, so that nobody could tell one from another. */
const NAMELESS = 'POST /transactions/tip-adjustment';

const ORIGINALS = ['originalGuid', 'authorizationGuid', 'originalEFTTransactionID', 'preAuthorizationGuid'];
const IDS = ['guid', 'reversalGuid', 'transactionID', 'preAuthorizationCaptureGuid'];

const ADDING_UP: readonly string[] = ['POST /moto/sale', 'POST /moto/refund', 'POST /preauthorization/increase'];

/** They only look. */
const READING: readonly string[] = ['POST /batch/summary', 'POST /batch/detail'];

export class OddAnswers {
  /** By endpoint. */
  private readonly latest = new Map<string, Body>();

  constructor(
    private readonly faults: Faults,
    private readonly newId: NewId,
  ) {}

  /** `act` does the operation; it is left out where the fault says that nothing was done. */
  around(endpoint: string, act: (kind?: FaultKind) => Answer | undefined): Answer | undefined {
    const fault = this.faultOf(endpoint);
    if (fault?.kind === 'answer-of-copy') return ofCopy(endpoint, act, fault);
    if (fault?.kind === 'answer-of-another') return this.ofAnother(endpoint, act, fault.isDone);
    const isDone = fault?.isDone !== false || isMixUp(fault.kind);
    const answer = isDone ? act(fault?.kind) : this.blank();
    const body = answer?.status === 200 ? parseJson(answer.body) : undefined;
    if (!isObject(body)) return answer;
    if (isDone) this.latest.set(endpoint, body);
    return fault === undefined ? answer : json(200, this.bent(body, fault.kind));
  }

  /** Where nothing was answered there before, it is as ever. */
  private ofAnother(endpoint: string, act: () => Answer | undefined, isDone = true): Answer | undefined {
    const earlier = endpoint === NAMELESS ? undefined : this.latest.get(endpoint);
    const answer = isDone || earlier === undefined ? act() : this.blank();
    return earlier === undefined || answer?.status !== 200 ? answer : json(200, earlier);
  }

  private bent(body: Body, kind: FaultKind): unknown {
    return kind === 'answer-other-original' ? withOriginal(body, this.newId()) : bent(body, kind);
  }

  private faultOf(endpoint: string): Fault | undefined {
    if (READING.includes(endpoint)) return undefined;
    const own = OWN_MOMENTS[endpoint];
    return (own && this.faults.at(own, { endpoint })) ?? this.faults.at('back-office', { endpoint });
  }

  private blank(): Answer {
    return json(200, { httpStatus: 200, guid: this.newId(), approvalCode: '', issuerResponseText: '' });
  }
}

/** With the variant `status`, and where doing it twice adds up, the copy exceeds the rate limit. */
function ofCopy(endpoint: string, act: () => Answer | undefined, { variant }: Fault): Answer | undefined {
  const first = act();
  if (first?.status !== 200) return first;
  if (variant === 'status' || ADDING_UP.includes(endpoint)) return TOO_MANY;
  return endpoint.startsWith('POST /batch') ? first : act();
}

/** What they say is true of something. */
function isMixUp(kind: FaultKind): boolean {
  return kind in MIX_UP_MOMENTS;
}

function bent(body: Body, kind: FaultKind): unknown {
  switch (kind) {
    case 'moto-authorised-without-code':
      return { ...body, finStatus: 'AUTHORISED', approvalCode: '' };
    case 'moto-00-without-code':
      return { ...without(body, 'finStatus'), issuerResponseCode: '00', approvalCode: '' };
    case 'moto-undefined-with-00':
      return { ...body, finStatus: 'UNDEFINED', issuerResponseCode: '00' };
    case 'capture-without-status':
      return without(body, 'finStatus');
    case 'increase-without-hold':
      return without(body, 'holdAmount');
    case 'body-empty':
      return {};
    case 'body-foreign':
      return { hello: 1 };
    case 'error-with-200':
      return parseJson(flatError(500, 'Internal error').body);
    case 'declined-with-200':
      return { ...body, finStatus: 'DECLINED' };
    case 'code-30-with-200':
      return { ...body, issuerResponseCode: '30', issuerResponseText: 'Format error' };
    case 'answer-id-of-original':
      return withIdOfOriginal(body);
    case 'answer-batch-open':
      return 'batchStatus' in body ? { ...body, batchStatus: 'OPEN', closedAt: '' } : body;
    default:
      return body;
  }
}

function withOriginal(body: Body, original: string): Body {
  return { ...body, ...Object.fromEntries(namesIn(body, ORIGINALS).map((name) => [name, original])) };
}

function withIdOfOriginal(body: Body): Body {
  const [original] = namesIn(body, ORIGINALS).map((name) => body[name]);
  return { ...body, ...Object.fromEntries(namesIn(body, IDS).map((name) => [name, original])) };
}

function namesIn(body: Body, names: readonly string[]): string[] {
  return names.filter((name) => name in body);
}

function without(body: Body, name: string): Body {
  return Object.fromEntries(Object.entries(body).filter(([field]) => field !== name));
}
