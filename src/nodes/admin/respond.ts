import type { Request, RequestHandler, Response } from 'express';
import { PaymentError } from '../../core/base/errors.js';

/** Answers a request with a JSON body; undefined: with a 404. */
export type Answer = (request: Request) => Promise<object | undefined>;

/** The action is under way, or was done already. */
export class Conflict extends Error {
  /** @param code key of the sidebar's text for it */
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** The message of a PaymentError or Conflict may be shown, because its constructor redacts it; any other is hidden. */
export function answering(answer: Answer): RequestHandler {
  return (request: Request, response: Response): void => {
    response.set('Cache-Control', 'no-store');
    answer(request).then(
      (body) => {
        if (body === undefined) response.status(404).json({ error: 'not found' });
        else response.json(body);
      },
      (error: unknown) => {
        if (error instanceof Conflict || error instanceof PaymentError) {
          const status = error instanceof Conflict ? 409 : 422;
          response.status(status).json({ error: error.message, code: error.code });
        } else response.status(500).json({ error: 'unexpected' });
      },
    );
  };
}
