import type { NewId } from '../../../core/base/seams.js';
import type { Fault, Faults, Moment } from '../../infra/faults.js';
import { type Body, isObject, parseJson } from '../../wire/checks.js';
import { type Answer, flatError, json } from '../../wire/errors.js';

/** Answers with 200 that contradict themselves, or prove nothing. Behind each the operation may be done or not. */

const OWN_MOMENTS: Readonly<Record<string, Moment>> = {
  'POST /moto/sale': 'moto-sale',
  'POST /preauthorization/capture': 'capture',
  'POST /preauthorization/increase': 'increase',
};

/** They only look. */
const READING: readonly string[] = ['POST /batch/summary', 'POST /batch/detail'];

export class OddAnswers {
  constructor(
    private readonly faults: Faults,
    private readonly newId: NewId,
  ) {}

  /** `act` does the operation; it is left out where the fault says that nothing was done. */
  around(endpoint: string, act: () => Answer | undefined): Answer | undefined {
    const fault = this.faultOf(endpoint);
    if (fault === undefined) return act();
    const answer = fault.isDone === false ? this.blank() : act();
    const body = answer?.status === 200 ? parseJson(answer.body) : undefined;
    return isObject(body) ? json(200, bent(body, fault)) : answer;
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

function bent(body: Body, { kind }: Fault): unknown {
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
    default:
      return body;
  }
}

function without(body: Body, name: string): Body {
  return Object.fromEntries(Object.entries(body).filter(([field]) => field !== name));
}
