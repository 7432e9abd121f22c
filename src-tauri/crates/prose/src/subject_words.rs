//! Words that belong to the same subject: who asks for texts on education means schools, too.
//!
//! Only for the choice of sources for a text on a broad subject. News are looked for by the words that were asked for.

use crate::tokens::{Token, TokenKind, each_token, mix, singular};

/// Words of a subject, and words by which texts on it are known; a pair of words stands with a space. Words that mean
/// something else beside the subject as often ("student" of a distilled model) are left out.
static RELATED: [(&str, &str); 81] = [
    ("agent, agentic", "tool call, tool use, multi agent, autonomous, computer use"),
    (
        "agriculture, farming, farm, farmer, crop, harvest",
        "farm, crop, harvest, harvester, orchard, livestock, plant disease, soil, strawberry, greenhouse",
    ),
    (
        "art, artist, painting, creative, creativity",
        "artist, artwork, painter, museum, illustrator, poem, poetry, poet, creative, exhibition",
    ),
    (
        "biology, protein, gene, genetic, genome",
        "protein, enzyme, antibody, genome, gene, cell, molecule, amino acid, dna, rna",
    ),
    ("buy, buying, purchase, procurement, procure", "purchase, procurement, vendor, supplier, tender"),
    (
        "car, driving, vehicle, traffic, driver",
        "driverless, self driving, autonomous driving, taxi, vehicle, car, driver, road, traffic, truck",
    ),
    (
        "autonomous driving, self driving, autonomous vehicle, driverless",
        "driverless, self driving, autonomous driving, autonomous vehicle, robotaxi, driverless taxi",
    ),
    (
        "care, elderly, nursing, ageing, aging",
        "care home, nursing home, elderly, resident, caregiver, older adult, dementia",
    ),
    (
        "chip, hardware, processor, semiconductor, accelerator",
        "chip, gpu, graphics processor, accelerator, silicon, photonic, semiconductor, tpu, fpga, inference chip, nvidia",
    ),
    (
        "child, children, kid, toy, minor, teenager",
        "child, children, teenager, parent, toy, minor, pupil, school",
    ),
    (
        "city, transport, railway, train, public transport",
        "railway, passenger, bus, station, commuter, timetable, traffic",
    ),
    (
        "climate, climate change, emission, carbon, footprint",
        "carbon, emission, methane, warming, warmer, greenhouse gas, sustainability, wildfire, electricity, energy consumption",
    ),
    (
        "code, coding, programming, software, developer, programmer",
        "programming, programmer, software engineering, code generation, coding assistant, repository, pull request, bug, compiler, unit test, swe bench",
    ),
    (
        "compression, compress, efficient, efficiency",
        "quantization, pruning, distillation, cache, throughput, memory, latency, speedup, cheaper, compression, sparse, low bit",
    ),
    (
        "copyright, intellectual property, piracy, fair use",
        "copyright, fair use, pirated, license, lawsuit, publisher, author, court, infringement, royalty",
    ),
    (
        "cost, cheap, cheaper, expense, price, affordable, budget",
        "cost, cheaper, cheap, price, bill, expensive, per token, quantization, pruning, kv cache, distillation, throughput, serving",
    ),
    (
        "court, courtroom, tribunal, law, legal, lawyer, justice, judge",
        "court, judge, lawyer, legal, lawsuit, ruling, appeal, attorney, asylum, hearing, statute, sanction",
    ),
    (
        "crime, fraud, scam, police",
        "fraud, scam, police, criminal, extortion, hacker, phishing, cloned voice",
    ),
    (
        "data centre, data center, datacenter, server",
        "data centre, data center, datacenter, megawatt, server, cluster, waste heat",
    ),
    (
        "deepfake, synthetic media, fake, forgery, disinformation, misinformation, generated image, generated content",
        "deepfake, synthetic media, cloned voice, voice cloning, generated image, generated video, ai generated, watermark, provenance, forgery, manipulated image, fake image, fake video, misinformation, disinformation, face swap",
    ),
    (
        "detect, detection, detector, recognise, recognize, identify",
        "detector, detection, spot, forensic, watermark, provenance, classifier, identify",
    ),
    (
        "language, languages",
        "translation, multilingual, interpreter, dialect, bilingual, under resourced, low resource, minority language, cross lingual",
    ),
    (
        "company, business, firm, enterprise, organization",
        "company, firm, enterprise, employee, staff, insurer, customer, office",
    ),
    (
        "customer, customer service, service, support",
        "customer, support, ticket, call centre, enquiry, complaint, helpdesk, shop",
    ),
    (
        "open model, open weight, open source",
        "open weight, open source, licence, license, weights, download, free of charge",
    ),
    (
        "diagnosis, diagnose, diagnostic, screening",
        "diagnosis, diagnostic, screening, triage, lesion, radiology, x ray, tumor, cancer, biopsy, mri, ultrasound, pathology, sepsis, stroke, triages, radiologist, scan",
    ),
    (
        "dialogue, conversation, chatbot, assistant",
        "chatbot, conversation, dialogue, assistant, companion, user request",
    ),
    (
        "disaster, wildfire, fire, flood, earthquake, emergency",
        "wildfire, flood, fire, earthquake, emergency, smoke, evacuation, rescue",
    ),
    ("drone, uav, flying, flight", "drone, quadrotor, quadcopter, uav, flight, fly"),
    (
        "demand, consumption, consume",
        "demand, consumption, consume, usage, bill, megawatt, kilowatt, watt, joule, per query",
    ),
    ("design, designed", "design, discovery, discover, synthesis, planning, generative"),
    (
        "drug, pharmaceutical, drug discovery",
        "drug, molecule, antibody, pharmaceutical, therapeutic, phase trial, compound, clinical trial, patient dosed, organic synthesis, binding affinity, fibrosis",
    ),
    (
        "economy, economic, finance, financial, bank, investor, stock",
        "bank, investor, market, stock, financial, economic, trading, fund, insurer, insurance, revenue, gdp",
    ),
    (
        "education, school, teaching, learner, classroom, student, pupil, teacher, university",
        "school, classroom, tutor, pupil, university, campus, curriculum, homework, exam, reading coach, learner, educational, teaching assistant, math tutoring",
    ),
    (
        "election, politics, democracy, campaign, political",
        "election, campaign, voter, ballot, political, politician, parliament, referendum",
    ),
    (
        "electricity, energy, power, power grid, energy consumption",
        "electricity, energy, power grid, megawatt, kilowatt, watt, joule, power bill, utility, power consumption, energy consumption, carbon",
    ),
    (
        "ethics, bias, fairness, discrimination",
        "bias, fairness, discrimination, stereotype, ethical, minority, disparity",
    ),
    (
        "evaluation, benchmark, measuring, testing",
        "benchmark, leaderboard, evaluation, evaluate, test set, red team",
    ),
    (
        "explain, interpretability, explainability, transparency, interpretable",
        "interpretability, interpretable, explanation, circuit, sparse autoencoder, attribution, probing, mechanistic",
    ),
    (
        "film, cinema, movie, dubbing, entertainment",
        "film, movie, dubbing, cinema, actor, studio, audience, subtitle",
    ),
    ("game, games, gaming", "game, player, chess, gameplay, minecraft"),
    (
        "grasp, manipulate, object, handling, gripper, manipulation",
        "grasp, gripper, grasping, manipulation, dexterous, pick and place, tactile, robot hand, picking, insertion",
    ),
    (
        "hallucination, factuality, truthfulness, reliability",
        "hallucination, factual, factuality, fabricated, citation, faithfulness, truthful, conflicting document, grounded, invented",
    ),
    (
        "health, medicine, medical, hospital, clinical, doctor, patient, healthcare, clinic",
        "hospital, clinic, clinical, patient, doctor, physician, radiology, medical, nurse, disease, surgery, health record, x ray, sepsis, primary care, electronic health",
    ),
    (
        "image, picture, image generation, photo",
        "image generation, text to image, photo, picture, diffusion model, image editing",
    ),
    (
        "inference, serving, deploy, deployment",
        "inference, serving, kv cache, speculative decoding, throughput, latency, batching, quantization",
    ),
    (
        "job, work, employment, worker, labour, labor, hiring, workplace",
        "job, hiring, worker, employment, employee, occupation, workforce, labour, labor, wage, entry level, office, union, insurer",
    ),
    (
        "journalism, journalist, newspaper, media, press",
        "newsroom, journalist, newspaper, editor, publisher, broadcaster, reporter",
    ),
    (
        "jailbreak, attack, defence, defense, safety, guardrail",
        "jailbreak, prompt injection, attack, adversarial, guardrail, red team, harmful, refusal, malicious, unlearning, backdoor",
    ),
    ("knowledge graph, graph", "knowledge graph, graph neural, ontology, node, entity, triple"),
    (
        "mathematics, math, theorem, proof",
        "theorem, proof, lemma, mathematics, mathematical, formal proof, olympiad, lean, algebra",
    ),
    ("memory, context, long context", "memory, kv cache, long context, context window, context length"),
    ("military, army, weapon, war", "military, weapon, soldier, army, defence, drone, battlefield"),
    (
        "mine, mining, industry, factory, manufacturing, inspection, warehouse, logistics",
        "factory, manufacturing, warehouse, mine, inspection, industrial, assembly, logistics, maintenance, production line",
    ),
    (
        "museum, culture, heritage, history, exhibition",
        "museum, exhibition, archive, heritage, visitor, manuscript, historical",
    ),
    ("music, song, sound, audio", "music, song, musician, audio, melody, singer, composer, sound"),
    (
        "privacy, surveillance, personal data, consent, data protection",
        "privacy, consent, personal data, watchdog, surveillance, data protection, anonymous, differential privacy, federated, membership inference",
    ),
    ("quantum, quantum computing, qubit", "quantum, qubit, error correction"),
    (
        "reason, reasoning, thinking, chain of thought",
        "reasoning, chain of thought, reasoner, thought, step by step",
    ),
    (
        "reading, writing, email, office, document",
        "document, email, mail, letter, draft, draft replies, office",
    ),
    (
        "recommendation, recommender, shopping, advertising",
        "recommendation, recommender, shopping, retail, advertising, user preference, click",
    ),
    (
        "regulation, regulate, law, rule, policy, government, governance, ai act, legislation",
        "regulator, ai act, commission, parliament, legislation, ai governance, government, legal, public sector, watchdog, ministry, statute, policymaker, obligation",
    ),
    (
        "retrieval, search, rag, retrieval augmented",
        "retrieval, retrieval augmented, rag, vector database, search engine, reranker, passage, query, knowledge base",
    ),
    (
        "robot, robotic, robotics, humanoid, embodied",
        "robot, robotic, gripper, humanoid, manipulation, embodied, legged, robot dog, grasping, harvester, drone",
    ),
    (
        "satellite, space, remote sensing, orbit, earth observation",
        "satellite, orbit, remote sensing, earth observation, space, aerial image",
    ),
    (
        "science, scientific, scientist, discovery, laboratory",
        "scientist, scientific discovery, laboratory, scientific research, natural sciences, chemistry, physicist, astronomy",
    ),
    (
        "security, secure, cybersecurity, hacker, cyber, vulnerability",
        "security, attack, attacker, prompt injection, injection, firewall, hacker, vulnerability, malicious, jailbreak, backdoor, malware, break into",
    ),
    ("sensor, touch, tactile, sensing", "tactile, sensor, touch, sensing, force feedback, lidar"),
    (
        "sign language, accessibility, disability, deaf, blind",
        "sign language, deaf, blind, accessibility, screen reader, disability, hearing, avatar, wheelchair",
    ),
    (
        "small model, small language model, compact model",
        "distillation, distilling, compact, lightweight, below one billion, small model, quantization",
    ),
    (
        "phone, on device, edge, smartphone, mobile, laptop",
        "on device, phone, edge device, smartphone, mobile, laptop, embedded, offline",
    ),
    (
        "speech, voice, speaker, speak, speaking, asr, tts, spoken, dubbing",
        "speech recognition, speech synthesis, text to speech, voice, spoken, audio, asr, tts, dubbing, speaker, transcription, earbud, utterance, cloned voice, phonetic",
    ),
    ("surgery, surgical, surgeon", "surgery, surgical, surgeon, operating room, patient, endoscopic"),
    ("table, tabular, database, spreadsheet", "tabular, database, sql, spreadsheet, boosted tree, postgres"),
    (
        "train, training, pretraining, fine tuning",
        "pretraining, fine tuning, training data, training run, reinforcement learning",
    ),
    (
        "multilingual, low resource, minority language, small language",
        "multilingual, low resource, under resourced, language, dialect, bilingual, cross lingual",
    ),
    (
        "translate, translation, machine translation, language barrier, interpreter",
        "translation, translate, translator, interpreter, machine translation, source language, target language, bleu",
    ),
    ("video, video generation", "video, video generation, frame, footage, clip, text to video"),
    (
        "weather, meteorology",
        "weather, precipitation, storm, rainfall, hurricane, ensemble forecast, weather forecast, rain, wind",
    ),
    (
        "forecast, forecasting, prediction",
        "forecast, forecasting, prediction, ensemble, probabilistic, predict",
    ),
    (
        "world model, simulation, simulator",
        "world model, simulation, simulator, physics engine, sim to real, digital twin",
    ),
];

/// Letters of a short word.
const SHORT: usize = 3;

/// The words that belong to the subject of which this word, or pair of words, is one.
pub(crate) fn related(phrase: &[u64]) -> Vec<&'static str> {
    let groups = RELATED.iter().filter(|(words, _)| words.split(", ").any(|word| stems(word) == phrase));
    groups.flat_map(|(_, related)| related.split(", ")).collect()
}

/// The stems of words in their order.
pub(crate) fn stems(text: &str) -> Vec<u64> {
    let mut stems = Vec::new();
    each_token(text, 0, text.len(), false, |token| stems.push(key_of(text, &token)));
    stems
}

/// The stem of a word; a short word is its own: a car is no care.
pub(crate) fn key_of(text: &str, token: &Token) -> u64 {
    let written = &text.as_bytes()[token.start as usize..token.end as usize];
    let is_short = token.kind == TokenKind::Word && singular(written).len() <= SHORT;
    if is_short { mix(token.key, token.key) } else { token.stem }
}
