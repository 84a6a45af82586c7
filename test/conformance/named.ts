/** What the API description names, chapter by chapter: each of these words must be in the table. */

const words = (text: string): string[] => text.trim().split(/\s+/);

const CODES = words(`
  3051 3052 3153 4066 3109 3156 3207 3211 3212 3215 5001 3107 5252 3209 3210 3112 TOKENIZATION_NOT_ENABLED
  BATCH_ALREADY_CLOSED NO_TRANSACTIONS BATCH_NUM_ERR_005
`);

/** By the chapter of the table that has to name them. */
export const NAMED: Readonly<Record<string, readonly string[]>> = {
  Operations: words(`
    sale refund refundReversal saleReversal saleAndTokenizeCard tokenizeCard printReceipt cardPan pingDevice
    stopCurrentTransaction moToSale moToRefund moToReversal moToPreAuthorization preAuthorization
    preAuthorizationIncrease preAuthorizationCapture preAuthorizationReversal
  `),
  Endpoints: words(`
    /devices /transactions /transaction-result /tip-adjustment /reversal /moto/sale /moto/refund /moto/reversal
    /preauthorization/capture /preauthorization/increase /token /batch/close /batch/summary /batch/detail {status_url}
    set-unattended-mode set-locale reboot set-password-protected set-screen-brightness set-reboot-time
    set-security-policy
  `),
  'Amount formats': words('amount capturedAmount tipAmount increaseAmount netAmount TransactionResult tip'),
  'Acquirer groups': words('B: E: S:'),
  Devices: words('merchant_id_alpha serial_number ssk terminal_type 1004'),
  'Request fields': words(`
    amount currency transactionReference callbackUrl token customerReference duplicate_check pinBypass signatureBypass
    tipConfiguration merchantAuth metadata moneyRemittanceOptions billing originalTransactionId returnDeviceInfo
    cardPresent tokenize cardToken acquirer mid tid mcc externalId
  `),
  'Request rules': words(`
    operation serial_number terminal_type amount currency transactionReference callbackUrl token duplicate_check
    bypassOptions tipConfiguration tipPercentages baseAmount merchantAuth acquirer externalId metadata fullName
    countryCode billing originalTransactionId returnDeviceInfo tokenize receipt cardToken channel
  `),
  'Request rules, back office': words(`
    originalGuid amount currency messageReasonCode timestamp cardToken billing customerReference channel capturedAmount
    increaseAmount subtract tipAmount serialNumber deviceType batchNumber rrn
  `),
  TransactionAccepted: words('statusMessage transactionResultId transactionReference'),
  TransactionResult: words(`
    transactionID efttransactionID efttimestamp originalEFTTransactionID transactionOrigin statusMessage errorMessage
    multiLanguageStatusMessages multiLanguageErrorMessages recoveredTransaction requestedAmount totalAmount tipAmount
    dueAmount tipPercentage taxAmount surcharge currency cardEntryType paymentScenario tenderType verificationMethod
    cardSchemeName maskedCardNumber cardTypeId expiryDateMMYY cardHolderName cardLanguagePreference accountType
    unMaskedPan cardToken balance authorisationCode issuerResponseCode rrn aid applicationLabel tvr tsi iad
    chipTransactionReport arc mid tid merchantName merchantAddress customerReference budgetNumber customData batchNumber
    metadata customFields moneyRemittanceOptions merchantReceipt customerReceipt signatureUrl deviceStatus holdAmount
    increaseAmount capturedAmount
  `),
  'finStatus values': words(`
    IN_PROGRESS UNDEFINED AUTHORISED DECLINED FAILED CANCELLED PARTIAL_APPROVAL REFUNDED PROCESSED CAPTURED
  `),
  'type values': words(`
    SALE REFUND REVERSAL PRE_AUTHORIZATION PRE_AUTHORIZATION_INCREASE PRE_AUTHORIZATION_CAPTURE
    PRE_AUTHORIZATION_REVERSAL MOTO_SALE MOTO_REFUND MOTO_REVERSAL TOKENIZE_CARD SALE_AND_TOKENIZE_CARD TIP_ADJUSTMENT
    VOID_SALE TRANSACTION_STATUS UNDEFINED
  `),
  'Back-office answers': words(`
    /reversal /moto/sale /moto/refund /moto/reversal /preauthorization/capture /preauthorization/increase
    /tip-adjustment /token /batch/close /batch/summary /batch/detail
  `),
  'Status service': words('first last index all 404 403'),
  'Error patterns': words('A, B, C,'),
  'HTTP statuses': words('200 400 403 404 422 429'),
  'Terminal errors': words('1001 1002 1003 1004 1005'),
  'Back-office error codes': [
    ...CODES,
    ...['3051 reversal', '3052 reversal', '3052 capture', '3052 increase', '3153 reversal', '3153 moto reversal'],
    ...['4066 reversal', '3109 reversal', '3156 capture', '3156 increase', '3207 capture', '3207 increase'],
    ...['3211 capture', '3211 increase', '3212 increase', '3215 capture', '5001 capture', '5001 increase'],
    ...['3107 moto sale', '5252 moto sale', '3209 moto refund', '3210 moto refund', '3112 token'],
  ],
  Capabilities: words(`
    preAuthAllowed refundAllowed partialReversalAllowed supportsMoto cardTokenProvider debitCardsOnly
  `),
  'Retry policy': words('AUTHORISED PROCESSED REFUNDED CAPTURED DECLINED FAILED UNDEFINED CANCELLED PARTIAL_APPROVAL'),
  Limits: words(`
    request amount originalGuid capturedAmount tipAmount increaseAmount customerReference metadata1 fullName subtract
    duplicate-check card PIN signature partial-approval worst-case recovery partial UNDEFINED refund tip pre-auth batch
  `),
  'Trigger amounts': words(`
    3779 3784 3793 3757 3768 3741 6165 155 165 1102 1104 1110 1112 1114 1115 1116 1117 1118 1119 1101 1103 1109 1111
  `),
};
